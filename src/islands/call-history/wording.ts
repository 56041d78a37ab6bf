/** Times are in the visitor's own language and time zone. */
const thisYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
})
const otherYear = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'long' })

/** Day and time, with the year when it is not the current one. */
export function shortTime(time: Date, now: Date): string {
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(time)
}

export function fullTime(time: Date): string {
  return full.format(time)
}

export function callsInWords(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`
}
