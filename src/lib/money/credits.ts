/** What a payment buys (SPEC-9.1, SPEC-9.2, PD-27, PD-33). Whole US dollars; 1 credit = 1 USD. */

/** Used by every estimate of minutes; exact at `estimateRateMicroUsd`. */
export const estimatedMinutesPerUsd = 50

/** Micro-dollars per minute (2¢) at which the estimate is exact. */
export const estimateRateMicroUsd = 20_000

/** Bonus by payment in US dollars; the first match applies. */
const bonuses = [
  { fromUsd: 100, percent: 10 },
  { fromUsd: 50, percent: 5 },
] as const

/** @throws RangeError if negative or fractional; typed amounts are validated earlier (SPEC-5.2, SPEC-5.3) */
function assertWholeUsd(usd: number): void {
  if (!Number.isSafeInteger(usd) || usd < 0) throw new RangeError(`not a whole number of dollars: ${usd}`)
}

/** Credits for whole dollars: `floor(usd x (1 + bonus))`, so $50 gives 52. @throws RangeError for other amounts */
export function creditsForUsd(usd: number): number {
  assertWholeUsd(usd)
  const percent = bonuses.find(({ fromUsd }) => usd >= fromUsd)?.percent ?? 0
  return Math.floor((usd * (100 + percent)) / 100) // in whole percents: 1.1 has no exact value
}

/** Credits beyond the payment in whole dollars; 0 without a bonus. @throws RangeError for other amounts */
export function bonusCredits(usd: number): number {
  return creditsForUsd(usd) - usd
}

/** Estimated minutes: 50 per credit (USD, with or without bonus), rounded down. Show the assumed rate beside it. */
export function estimatedMinutes(credits: number): number {
  return Math.floor(credits * estimatedMinutesPerUsd)
}

/** Min and max of one payment, whole US dollars (SPEC-9.4). */
export const minUsd = 5
export const maxUsd = 4000

/** Payments above this sum in a day (USD) are held for review; the page says so before payment. */
export const reviewAboveUsd = 500

/** Spending cap in USD for the first hours after an account's first payment; the page says so before payment. */
export const newCustomerHours = 72
export const newCustomerSpendUsd = 50
