import { minuteMs } from '../time.ts'

/** The last balance from the server, and when it arrived (monotonic milliseconds). */
export interface KnownBalance {
  readonly microUsd: number
  readonly atMs: number
}

/** A call charged by the minute. `untilMs` is null while it lasts. */
export interface Metered {
  readonly rateMicroUsd: number
  readonly fromMs: number
  readonly untilMs: number | null
}

/** Credits are low at $2 or less (SPEC-9.9). */
export const lowBalanceMicroUsd = 2_000_000

/** Network jitter may make a balance event arrive this much before the minute it includes. */
export const pushLeadMs = 1000

/** The first minute starts with the answer. */
function minutesBegun(fromMs: number, atMs: number): number {
  return atMs < fromMs ? 0 : Math.floor((atMs - fromMs) / minuteMs) + 1
}

/**
 * The server's last balance minus minutes started since; the next event replaces it (PD-17). Never negative. A minute that
 * the balance does not cover never starts, because the call ends there.
 */
export function shownBalanceMicroUsd(known: KnownBalance, metered: Metered | null, nowMs: number): number {
  const microUsd = uncoveredBalance(known, metered, nowMs)
  return microUsd < 0 && metered !== null ? known.microUsd % metered.rateMicroUsd : microUsd
}

/** A started minute is not covered by the balance: the call must end. */
export function isOverdrawn(known: KnownBalance, metered: Metered | null, nowMs: number): boolean {
  return uncoveredBalance(known, metered, nowMs) < 0
}

/** Like the shown balance, but negative if started minutes are not covered. */
function uncoveredBalance(known: KnownBalance, metered: Metered | null, nowMs: number): number {
  if (metered === null) return known.microUsd
  const begun = minutesBegun(metered.fromMs, Math.min(nowMs, metered.untilMs ?? nowMs))
  const paid = known.atMs < metered.fromMs ? 0 : minutesBegun(metered.fromMs, known.atMs + pushLeadMs)
  return known.microUsd - Math.max(0, begun - paid) * metered.rateMicroUsd
}
