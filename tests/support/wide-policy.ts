import { type CallPolicy, defaultCallPolicy, type TierLimits } from '#server/config/policy.ts'
import { defaultBudgets } from '#server/limits/budget-policy.ts'

/**
 * Wide limits, for tests of other things: one call at a time of at most an hour, as for new customers, without limits
 * on number or rate. No automatic goodwill credits, because calls in tests are short.
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
    budgets: { ...defaultBudgets, free_call: [], unanswered_ring: [], unanswered_ring_paid: [] },
    newCustomer: { ...defaultCallPolicy.newCustomer, spendMicroUsd: 1_000_000_000_000 },
    credit: { ...defaultCallPolicy.credit, maxAutomatic: 0 },
    breaker: { ...defaultCallPolicy.breaker, accounts: 1_000_000 },
  }
}
