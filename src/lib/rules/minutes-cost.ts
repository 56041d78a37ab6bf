/** What the rate calculator takes for minutes, and what it answers (specification section 5). */

/** More than two months on the telephone: enough for anybody, and the sum still fits its line. */
const mostMinutes = 99_999

/** Whether typed text may stand in the field: a number of at least 1, or nothing at all. */
export function isMinutesText(text: string): boolean {
  const minutes = Number(text)
  return text === '' || (minutes >= 1 && minutes <= mostMinutes)
}

/** The minutes of a text that may stand in the field; null for the empty one. */
export function minutesOf(text: string): number | null {
  return text === '' ? null : Number(text)
}

/**
 * One whole minute more or less, at least 1: from part of a minute to the whole one beside it,
 * from an empty field to 1.
 */
export function steppedMinutes(text: string, by: 1 | -1): string {
  const minutes = minutesOf(text) ?? 0
  const stepped = by === 1 ? Math.floor(minutes) + 1 : Math.ceil(minutes) - 1
  return String(Math.min(mostMinutes, Math.max(1, stepped)))
}

/** Minutes, parts of them included, times the rate; micro-dollars to the nearest one. */
export function minutesCostMicroUsd(minutes: number, microUsdPerMinute: number): number {
  return Math.round(minutes * microUsdPerMinute)
}

/** A cost worked out beforehand, with 2 decimals, rounded to the nearest cent. */
export function formatCost(microUsd: number): string {
  return `$${(Math.round(microUsd / 10_000) / 100).toFixed(2)}`
}
