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

/** Day and time in the visitor's language and time zone; with the year if it is not the current one. */
export function shortTime(time: Date, now: Date): string {
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(time)
}

export function fullTime(time: Date): string {
  return full.format(time)
}

export function callsText(count: number): string {
  return count === 1 ? '1 call' : `${count} calls`
}
