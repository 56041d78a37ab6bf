const waves = [9, 21, 33].map(y => `M2 ${y}q7-6 14 0${'t14 0'.repeat(6)}`).join('')

/** A cancelled stamp in the corner of a form's slip. Decoration. */
export function Frank() {
  return (
    <div className="frank" aria-hidden="true">
      <div className="stamp">
        <div className="plate">
          <svg viewBox="0 0 40 40" aria-hidden="true">
            <circle cx="20" cy="20" r="18" />
            <path d="M14 11c-2 2-2 5 0 8s5 7 8 8 6 2 7 0l-4-5-3 2c-3-1-4-3-5-5l2-3-3-5z" />
          </svg>
        </div>
      </div>
      <svg className="postmark" viewBox="0 0 102 42" aria-hidden="true">
        <path d={waves} />
      </svg>
    </div>
  )
}
