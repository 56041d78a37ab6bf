import type { CallRecord } from '../api/calls.ts'
import { usdToMicroUsd } from './money.ts'

/** What somebody called in the current month, by the clock of where they are. */
export interface MonthTotals {
  /** Talked, free calls included. */
  readonly talkedSeconds: number
  readonly costMicroUsd: number
}

/**
 * Totals of the current month from the newest calls on, or null when calls of this month may be missing.
 * @param calls newest first
 * @param complete whether there are no older calls than these
 */
export function monthTotals(calls: readonly CallRecord[], complete: boolean, now: Date): MonthTotals | null {
  const monthStartMs = new Date(now.getFullYear(), now.getMonth(), 1).getTime()
  const ofMonth = calls.filter(call => Date.parse(call.placedAt) >= monthStartMs)
  if (!complete && ofMonth.length === calls.length) return null
  return {
    talkedSeconds: ofMonth.reduce((sum, call) => sum + call.seconds, 0),
    costMicroUsd: ofMonth.reduce((sum, call) => sum + usdToMicroUsd(call.cost), 0),
  }
}
