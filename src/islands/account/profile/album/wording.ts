import type { Album } from '#lib/api/album.ts'
import { formatCount } from '#lib/count.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { texts } from './texts.ts'

const dayAndMonth = dateFormat({ day: 'numeric', month: 'short' })

/** Midnight of 1 January in the reader's time zone. */
export function startOfYear(now: Date): Date {
  return new Date(now.getFullYear(), 0, 1)
}

/** `2026: 12 countries, 3 h 40 min, $4.12`. Money is rounded down, as the balance is. */
export function yearLine({ countries, minutes, spent }: Album['year'], now: Date): string {
  const year = String(now.getFullYear())
  if (countries === 0) return texts.noCalls({ year })
  const money = spent > 0 ? formatBalance(usdToMicroUsd(spent)) : texts.free
  return texts.year({ year, countries, talk: talkText(minutes), money })
}

/** `40 min`, `3 h`, `3 h 40 min`. */
export function talkText(minutes: number): string {
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  if (hours === 0) return texts.minutes({ minutes: String(rest) })
  const whole = formatCount(hours)
  return rest === 0
    ? texts.hours({ hours: whole })
    : texts.hoursAndMinutes({ hours: whole, minutes: String(rest) })
}

/** The date in a postmark: `24 Nov` in its middle, `2026` on its ring. In the reader's time zone. */
export function postmarkDate(time: Date): { readonly day: string; readonly year: string } {
  return { day: dayAndMonth(time), year: String(time.getFullYear()) }
}

const inks = ['', 'r', 'k'] as const

/** Blue, red or black, and always the same for a country. */
export function inkOf(isoCode: string): (typeof inks)[number] {
  const sum = isoCode.charCodeAt(0) * 26 + isoCode.charCodeAt(1)
  return inks[sum % inks.length] ?? ''
}
