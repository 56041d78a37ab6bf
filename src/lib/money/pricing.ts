/** Charging of calls (PD-17 to PD-20, PD-40). Integer arithmetic. */

import { minuteMs } from '../time.ts'

/** Limits of the free call: whichever is reached first (PD-20). */
export interface FreeCallTerms {
  readonly worthMicroUsd: number
  readonly longestMinutes: number
}
export const defaultFreeCallTerms: FreeCallTerms = { worthMicroUsd: 500_000, longestMinutes: 5 }

/** Started minutes since the answer; exactly 60.0 s is one minute. */
export function chargedMinutes(answeredMs: number): number {
  return Math.ceil(Math.max(0, answeredMs) / minuteMs)
}

export function callCostMicroUsd(answeredMs: number, rateMicroUsd: number): number {
  return chargedMinutes(answeredMs) * rateMicroUsd
}

/** Whole minutes that the balance covers; the rate must be above 0. */
export function affordableMinutes(balanceMicroUsd: number, rateMicroUsd: number): number {
  return Math.max(0, Math.floor(balanceMicroUsd / rateMicroUsd))
}

/** Whole minutes of a free call; 0 means that the destination is not eligible. */
export function freeCallMinutes(rateMicroUsd: number, terms: FreeCallTerms = defaultFreeCallTerms): number {
  return Math.min(terms.longestMinutes, affordableMinutes(terms.worthMicroUsd, rateMicroUsd))
}
