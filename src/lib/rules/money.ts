/**
 * Money is an integer number of micro-dollars everywhere but on the screen and in the API, which shows
 * USD as a decimal number (product decisions, 'Money'). 1 USD = 1,000,000 micro-dollars.
 */
export const microUsdPerUsd = 1_000_000

/** USD as the API carries it, exact for every amount below nine billion dollars. */
export function microUsdToUsd(microUsd: number): number {
  return microUsd / microUsdPerUsd
}

/**
 * The nearest micro-dollar to an amount in USD.
 * @throws RangeError when the amount is not finite or is beyond what can be counted exactly.
 */
export function usdToMicroUsd(usd: number): number {
  const microUsd = Math.round(usd * microUsdPerUsd)
  if (!Number.isSafeInteger(microUsd)) throw new RangeError(`not an amount of money: ${usd}`)
  return microUsd
}

/** A balance with 2 decimals, rounded down: never shows money that is not there (decision 17). */
export function formatBalance(microUsd: number): string {
  return `$${(Math.floor(microUsd / 10_000) / 100).toFixed(2)}`
}

/**
 * A charge with 2 decimals, or as many as it takes (at most 6) not to hide a part of it:
 * $0.0184 is shown whole, $0.02 as it is. We never round what somebody paid.
 */
export function formatCharge(microUsd: number): string {
  const decimals = (microUsd / microUsdPerUsd).toFixed(6)
  return `$${decimals.replace(/0{1,4}$/, '')}`
}

/** A rate per minute with 3 decimals (specification section 9). */
export function formatRate(microUsdPerMinute: number): string {
  return `$${(microUsdPerMinute / microUsdPerUsd).toFixed(3)}`
}
