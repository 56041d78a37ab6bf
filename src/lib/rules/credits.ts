/** What a payment buys (specification section 9, product decisions 27 and 33). Whole US dollars; 1 credit = 1 USD. */

/** The constant behind every minutes estimate; see `estimateRateMicroUsd` for the rate at which it holds. */
export const estimatedMinutesPerUsd = 50

/** The rate per minute at which the estimate is exact, in micro-dollars: 2¢. */
export const estimateRateMicroUsd = 20_000

/** Extra credits in percent, from an amount in US dollars up: the highest that is reached counts. */
const bonuses = [
  { fromUsd: 100, percent: 10 },
  { fromUsd: 50, percent: 5 },
] as const

/** @throws RangeError for what no payment is: the callers check what people type (section 5). */
function assertWholeUsd(usd: number): void {
  if (!Number.isSafeInteger(usd) || usd < 0) throw new RangeError(`not a whole number of dollars: ${usd}`)
}

/**
 * Credits for a payment: `floor(amount x (1 + bonus))`, so $50 gives 52.
 * @param usd whole US dollars
 * @throws RangeError when the amount is negative or not whole
 */
export function creditsForUsd(usd: number): number {
  assertWholeUsd(usd)
  const percent = bonuses.find(({ fromUsd }) => usd >= fromUsd)?.percent ?? 0
  return Math.floor((usd * (100 + percent)) / 100) // in whole percents: 1.1 has no exact value
}

/**
 * Credits beyond what was paid; 0 where there is no bonus.
 * @param usd whole US dollars
 * @throws RangeError when the amount is negative or not whole
 */
export function bonusCredits(usd: number): number {
  return creditsForUsd(usd) - usd
}

/**
 * Minutes that credits are estimated to last: 50 for each, floored. Say beside it at which rate that holds.
 * @param credits US dollars to spend, bonus included or not; 0 or more
 */
export function estimatedMinutes(credits: number): number {
  return Math.floor(credits * estimatedMinutesPerUsd)
}

/** The least and the most that one payment may be, whole US dollars (specification section 5). */
export const leastUsd = 5
export const mostUsd = 4000

/** What somebody pays in a day beyond this, in US dollars, is released after a review: said before they pay. */
export const reviewAboveUsd = 500
