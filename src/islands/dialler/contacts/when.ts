import { clockFormat } from '#lib/clock.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { dayMs } from '#lib/time.ts'

const hour = dateFormat(clockFormat)
const weekday = dateFormat({ weekday: 'long' })
const thisYear = dateFormat({ day: 'numeric', month: 'short' })
const otherYear = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** Calendar days between two local times. Computed in UTC, so that daylight saving changes have no effect. */
function daysBetween(then: Date, now: Date): number {
  const day = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / dayMs
  return day(now) - day(then)
}

export function dayOf(time: Date, now: Date): string {
  const days = daysBetween(time, now)
  if (days === 0) return 'Today'
  if (days === 1) return 'Yesterday'
  // From 7 days on, the name of the weekday would be ambiguous.
  if (days > 1 && days < 7) return weekday(time)
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear)(time)
}

/** A local time, from `Today, 14:02` back to `16 Nov, 09:30`. */
export function whenCalled(time: Date, now: Date): string {
  return `${dayOf(time, now)}, ${hour(time)}`
}
