import { clockFormat } from '#lib/clock.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { atLineStart, relativeDay } from '#lib/i18n/relative-day.ts'
import { dayMs } from '#lib/time.ts'
import { texts } from './texts.ts'

const hour = dateFormat(clockFormat)
const weekday = dateFormat({ weekday: 'long' })
const thisYear = dateFormat({ day: 'numeric', month: 'short' })
const otherYear = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

/** Calendar days between two local times. Computed in UTC, so that daylight saving changes have no effect. */
function daysBetween(then: Date, now: Date): number {
  const day = (time: Date) => Date.UTC(time.getFullYear(), time.getMonth(), time.getDate()) / dayMs
  return day(now) - day(then)
}

/** Null: another day. */
export function recentDay(time: Date, now: Date): 'today' | 'yesterday' | null {
  const days = daysBetween(time, now)
  if (days === 0) return 'today'
  return days === 1 ? 'yesterday' : null
}

/** `Tuesday`, `16 Nov`. */
export function dayName(time: Date, now: Date): string {
  const days = daysBetween(time, now)
  // From 7 days on, the name of the weekday would be ambiguous.
  if (days > 0 && days < 7) return weekday(time)
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear)(time)
}

/** A local time, from `Today, 14:02` back to `16 Nov, 09:30`. */
export function whenCalled(time: Date, now: Date): string {
  const recent = recentDay(time, now)
  const day = recent === null ? dayName(time, now) : relativeDay(recent)
  return texts.when({ day: atLineStart(day), time: hour(time) })
}
