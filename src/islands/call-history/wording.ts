import { clockFormat } from '#lib/clock.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'

const thisYear = dateFormat({ day: 'numeric', month: 'short', ...clockFormat })
const otherYear = dateFormat({
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  ...clockFormat,
})
export const fullTime = dateFormat({ dateStyle: 'full', timeStyle: 'long', hourCycle: 'h23' })

/** Day and time in the visitor's time zone; with the year if it is not the current one. */
export function shortTime(time: Date, now: Date): string {
  return (time.getFullYear() === now.getFullYear() ? thisYear : otherYear)(time)
}
