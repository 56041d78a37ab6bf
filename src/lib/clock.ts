import { dateFormat } from './i18n/date-format.ts'
import { memoised } from './memoised.ts'

/** One clock for the whole product: 24 hours, `09:04`, whatever the reader's language. */
export const clockFormat = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

const clockOf = memoised(zone => dateFormat(zone === '' ? clockFormat : { ...clockFormat, timeZone: zone }))

/** The time of day, `09:04`. @param zone IANA name; omitted: the reader's own @throws RangeError for an unknown zone */
export function clockTime(at: Date, zone = ''): string {
  return clockOf(zone)(at)
}
