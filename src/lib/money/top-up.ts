import { maxUsd, minUsd } from './credits.ts'
import { microUsdPerUsd } from './money.ts'

/** A top-up for one call buys at least this many minutes of it (ADR-60). */
export const topUpMinutes = 10

/**
 * The smallest amount in whole US dollars that buys a useful call (ADR-60).
 * @param rateMicroUsd per minute, with the surcharge of the caller ID; null if unknown
 */
export function topUpUsd(rateMicroUsd: number | null): number {
  const usd = Math.ceil((topUpMinutes * (rateMicroUsd ?? 0)) / microUsdPerUsd)
  return Math.min(maxUsd, Math.max(minUsd, usd))
}
