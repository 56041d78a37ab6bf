import { msPerMinute } from './pricing.ts'

/** A balance as the server last told it, and when it arrived here (monotonic milliseconds). */
export interface KnownBalance {
  readonly microUsd: number
  readonly atMs: number
}

/** A call that is charged by the minute. `untilMs` is null while it lasts. */
export interface Metered {
  readonly rateMicroUsd: number
  readonly fromMs: number
  readonly untilMs: number | null
}

/** Specification section 9: credits are low from $2 down. */
export const lowBalanceMicroUsd = 2_000_000

/** A push may overtake the minute it pays for by this much, through jitter on the way here. */
export const pushLeadMs = 1000

/** Minutes begun by a moment: the first begins with the answer. */
function minutesBegun(fromMs: number, atMs: number): number {
  return atMs < fromMs ? 0 : Math.floor((atMs - fromMs) / msPerMinute) + 1
}

/**
 * The balance to show: what the server last told, less the minutes of the call begun since. It bridges a
 * lost socket and nothing else; the server's next word replaces it (decision 17). Never below zero.
 */
export function shownBalanceMicroUsd(known: KnownBalance, metered: Metered | null, nowMs: number): number {
  return Math.max(0, uncoveredBalance(known, metered, nowMs))
}

/** Whether a minute has begun that the balance does not cover: the call must not go on. */
export function isOverdrawn(known: KnownBalance, metered: Metered | null, nowMs: number): boolean {
  return uncoveredBalance(known, metered, nowMs) < 0
}

/** As shown, but below zero where the call has begun minutes that are not covered. */
function uncoveredBalance(known: KnownBalance, metered: Metered | null, nowMs: number): number {
  if (metered === null) return known.microUsd
  const begun = minutesBegun(metered.fromMs, Math.min(nowMs, metered.untilMs ?? nowMs))
  const paid = known.atMs < metered.fromMs ? 0 : minutesBegun(metered.fromMs, known.atMs + pushLeadMs)
  return known.microUsd - Math.max(0, begun - paid) * metered.rateMicroUsd
}
