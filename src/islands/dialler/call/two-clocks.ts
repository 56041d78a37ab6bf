import { clockTime } from '#lib/clock.ts'
import type { LocalTime } from '#lib/numbers/local-time.ts'
import { clockTexts } from './clock-texts.ts'

/**
 * The caller's time and the callee's: `14:05 here · 19:35 in India`; `14:05 for both of you` where they agree.
 * @param zone the caller's, as an IANA name; omitted: the browser's
 */
export function twoClocks({ time, place }: LocalTime, now: Date, zone?: string): string {
  const here = clockTime(now, zone)
  return here === time ? clockTexts.both({ time }) : clockTexts.apart({ here, time, place })
}
