const crests = 't60 0'.repeat(30)
const path = [14, 27, 40, 53, 66].map(y => `M-40 ${y}q30-22 60 0${crests}`).join('')

/** Wavy lines of a cancellation mark, across the whole page. */
export function Waves() {
  return (
    <svg className="run waves" viewBox="0 0 1800 80" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path d={path} />
    </svg>
  )
}
