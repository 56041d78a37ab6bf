import type { CallRecord } from '#lib/api/calls.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { atLineStart, relativeDay } from '#lib/i18n/relative-day.ts'

export interface DayGroup {
  /** Names the day for keys; local. */
  readonly day: string
  readonly heading: string
  readonly calls: readonly CallRecord[]
}

const thisYear = dateFormat({ weekday: 'long', day: 'numeric', month: 'long' })
const otherYear = dateFormat({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

const keyOf = (at: Date) => `${at.getFullYear()}-${at.getMonth() + 1}-${at.getDate()}`

/** `Today`, `Yesterday`, `Monday 23 November`; with the year if it is not the current one. In the reader's time zone. */
function dayHeading(at: Date, now: Date): string {
  if (keyOf(at) === keyOf(now)) return atLineStart(relativeDay('today'))
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  if (keyOf(at) === keyOf(yesterday)) return atLineStart(relativeDay('yesterday'))
  const day = at.getFullYear() === now.getFullYear() ? thisYear : otherYear
  return atLineStart(day(at).replace(',', ''))
}

/** Groups calls by the day on which they were placed, and keeps their order. */
export function groupByDay(calls: readonly CallRecord[], now: Date): readonly DayGroup[] {
  const groups: (Omit<DayGroup, 'calls'> & { readonly calls: CallRecord[] })[] = []
  for (const call of calls) {
    const at = new Date(call.placedAt)
    const last = groups.at(-1)
    if (last?.day === keyOf(at)) last.calls.push(call)
    else groups.push({ day: keyOf(at), heading: dayHeading(at, now), calls: [call] })
  }
  return groups
}
