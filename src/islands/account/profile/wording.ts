import type { Profile } from '#lib/api/profile.ts'
import { clockFormat } from '#lib/clock.ts'
import { formatCard } from '#lib/money/receipts.ts'

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })
const clock = { day: 'numeric', month: 'short', ...clockFormat } as const
const thisYearFormat = new Intl.DateTimeFormat('en-GB', clock)
const olderFormat = new Intl.DateTimeFormat('en-GB', { ...clock, year: 'numeric' })

export const dayOf = (time: Date) => dayFormat.format(time)

/** In the visitor's time zone; the year only if it is not the current one. */
export function seenAt(time: Date, now: Date): string {
  const format = time.getFullYear() === now.getFullYear() ? thisYearFormat : olderFormat
  return format.format(time)
}

/** `Visa ending 4242`, or less when the provider did not give all details. */
export function cardText({ brand, last4 }: NonNullable<Profile['savedCard']>): string {
  if (last4 === null) return 'Saved card'
  return brand === null ? `Card ending ${last4}` : formatCard(brand, last4)
}

export function passwordFault(secret: string): string | null {
  return secret === '' ? 'Enter your password.' : null
}

/** An approximate size: `3.4 MB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1_000_000) return `${Math.ceil(bytes / 1000)} KB`
  return `${(bytes / 1_000_000).toFixed(1)} MB`
}
