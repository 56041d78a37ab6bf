import type { Profile } from '#lib/api/profile.ts'
import { clockFormat } from '#lib/clock.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { currentLanguage, withLatinDigits } from '#lib/i18n/language.ts'
import { formatCard } from '#lib/money/receipts.ts'
import { texts } from './texts.ts'

export const dayOf = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })
const clock = { day: 'numeric', month: 'short', ...clockFormat } as const
const thisYearFormat = dateFormat(clock)
const olderFormat = dateFormat({ ...clock, year: 'numeric' })

/** In the visitor's time zone; the year only if it is not the current one. */
export function seenAt(time: Date, now: Date): string {
  const format = time.getFullYear() === now.getFullYear() ? thisYearFormat : olderFormat
  return format(time)
}

/** `Visa ending 4242`, or less when the provider did not give all details. */
export function cardText({ brand, last4 }: NonNullable<Profile['savedCard']>): string {
  if (last4 === null) return texts.savedCard
  return brand === null ? texts.cardEnding({ last4 }) : formatCard(brand, last4)
}

export function passwordFault(secret: string): string | null {
  return secret === '' ? texts.enterPassword : null
}

/** An approximate size: `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return texts.kilobytes({ size: String(Math.ceil(bytes / 1000)) })
  const oneDecimal = { minimumFractionDigits: 1, maximumFractionDigits: 1, useGrouping: false }
  const format = new Intl.NumberFormat(withLatinDigits(currentLanguage()), oneDecimal)
  return texts.megabytes({ size: format.format(bytes / 1_000_000) })
}
