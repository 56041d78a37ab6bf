import { clockFormat } from '#lib/clock.ts'
import { formatCount } from '#lib/count.ts'

const thisYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...clockFormat })
const otherYear = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  ...clockFormat,
})
const full = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' })

/** Day and time in the visitor's time zone; with the year if it is not the current one. */
export function shortTime(time: Date, now: Date): string {
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear).format(time)
}

export function fullTime(time: Date): string {
  return full.format(time)
}

export function callsText(count: number): string {
  return count === 1 ? '1 call' : `${formatCount(count)} calls`
}
