/** How calls are charged (product decisions 17 to 20 and 'Money'). Pure arithmetic on integers. */

export const msPerMinute = 60_000

/** What a first call is worth: both limits hold, the smaller wins (decision 20). */
export interface FreeCallTerms {
  readonly worthMicroUsd: number
  readonly longestMinutes: number
}
export const defaultFreeCallTerms: FreeCallTerms = { worthMicroUsd: 500_000, longestMinutes: 5 }

/** Minutes charged for a call: each started minute counts from answer, and 60.0 s is one minute. */
export function chargedMinutes(answeredMs: number): number {
  return Math.ceil(Math.max(0, answeredMs) / msPerMinute)
}

/** What a call costs: `ceil(answered seconds / 60) x rate`. */
export function callCostMicroUsd(answeredMs: number, rateMicroUsd: number): number {
  return chargedMinutes(answeredMs) * rateMicroUsd
}

/** Whole minutes that a balance pays for at a rate; the rate must be above 0. */
export function affordableMinutes(balanceMicroUsd: number, rateMicroUsd: number): number {
  return Math.max(0, Math.floor(balanceMicroUsd / rateMicroUsd))
}

/** Whole minutes a first call lasts at this rate; 0 means that the destination is not eligible. */
export function freeCallMinutes(rateMicroUsd: number, terms: FreeCallTerms = defaultFreeCallTerms): number {
  return Math.min(terms.longestMinutes, affordableMinutes(terms.worthMicroUsd, rateMicroUsd))
}
