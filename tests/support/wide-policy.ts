import { type CallPolicy, defaultCallPolicy, type TierLimits } from '#server/config/policy.ts'
import { type Bound, defaultBudgets } from '#server/limits/budget-policy.ts'

/**
 * Wide limits, for tests of other things: one call at a time of at most an hour, as for new customers, without limits
 * on number or rate. No automatic refunds and no kept free calls, because calls in tests are short and often cut.
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
  const none: Bound[] = [{ per: 'account', maxUses: 0, windowSeconds: 86_400 }]
  return {
    ...defaultCallPolicy,
    tiers: { never_paid: wide, newly_paid: wide, established: wide },
    budgets: {
      ...defaultBudgets,
      brief_free_call: none,
      free_call: [],
      goodwill: [],
      refund: [],
      unanswered_ring: [],
      unanswered_ring_paid: [],
    },
    newCustomer: { ...defaultCallPolicy.newCustomer, spendMicroUsd: 1_000_000_000_000 },
    credit: { ...defaultCallPolicy.credit, maxAutomatic: 0, maxRestarts: 0 },
    breaker: { ...defaultCallPolicy.breaker, accounts: 1_000_000 },
  }
}
