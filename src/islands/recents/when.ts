import { dateFormat } from '#lib/rules/date-format.ts'

/** Times are in the visitor's own language and time zone. */
const hour = dateFormat(undefined, { hour: '2-digit', minute: '2-digit' })
const weekday = dateFormat(undefined, { weekday: 'long' })
const thisYear = dateFormat(undefined, { day: 'numeric', month: 'short' })
const otherYear = dateFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' })

/** Days of the calendar between the two, whatever the hour; clocks that are put forward or back in between change nothing. */
function daysBetween(then: Date, now: Date): number {
  const day = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / 86_400_000
  return day(now) - day(then)
}

function dayOf(time: Date, now: Date): string {
  const days = daysBetween(time, now)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  // A week ago the same day comes again.
  if (days > 1 && days < 7) return weekday(time)
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear)(time)
}

/** `Today, 14:02`, and so on back to `16 Nov, 09:30`. */
export function whenCalled(time: Date, now: Date): string {
  return `${dayOf(time, now)}, ${hour(time)}`
}
