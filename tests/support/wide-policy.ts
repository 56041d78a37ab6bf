import { type CallPolicy, defaultCallPolicy, type TierLimits } from '#server/policy.ts'

/**
 * Limits for tests of something else: one call at a time of an hour at most, as a customer of the first days has, and
 * none on how many or how dear. No call is given back by itself: those of tests are short.
 */
export function widePolicy(limits: Partial<TierLimits> = {}): CallPolicy {
  const wide: TierLimits = {
    attemptsPerHour: 1_000_000,
    answeredPerHour: 1_000_000,
    answeredPerDay: 1_000_000,
    concurrentCalls: 1,
    longestCallMinutes: 60,
    highestRateMicroUsd: 1_000_000_000,
    ...limits,
  }
  return {
    ...defaultCallPolicy,
    tiers: { never_paid: wide, newly_paid: wide, established: wide },
    freeCallsPerMonth: 1_000_000,
    credit: { ...defaultCallPolicy.credit, automaticMost: 0 },
    breaker: { ...defaultCallPolicy.breaker, accounts: 1_000_000 },
  }
}
