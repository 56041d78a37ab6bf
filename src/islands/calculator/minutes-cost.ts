import { dollarsText } from '#lib/money/money.ts'

/** Input and output of the rate calculator (SPEC-5.1). */

/** About a week of talking; the result fits its line. */
export const maxMinutes = 10_000

/** Valid in the field: a number of at least 1, or empty. */
export function isMinutesText(text: string): boolean {
  return text === '' || Number(text) >= 1
}

/** The text, with the max in the place of a larger number. */
export function withinMax(text: string): string {
  return Number(text) > maxMinutes ? String(maxMinutes) : text
}

export function minutesOf(text: string): number | null {
  return text === '' ? null : Number(text)
}

/** Steps by one whole minute, min 1. A fraction goes to the adjacent whole minute, an empty field to 1. */
export function steppedMinutes(text: string, by: 1 | -1): string {
  const minutes = minutesOf(text) ?? 0
  const stepped = by === 1 ? Math.floor(minutes) + 1 : Math.ceil(minutes) - 1
  return String(Math.min(maxMinutes, Math.max(1, stepped)))
}

/** Includes fractions of a minute; rounded to the nearest micro-dollar. */
export function minutesCostMicroUsd(minutes: number, microUsdPerMinute: number): number {
  return Math.round(minutes * microUsdPerMinute)
}

/** An estimate with 2 decimals, to the nearest cent: `$1,234.50`. */
export function formatCost(microUsd: number): string {
  return dollarsText((Math.round(microUsd / 10_000) / 100).toFixed(2))
}
