import { defaultFreeCallTerms, type FreeCallTerms } from '#lib/rules/pricing.ts'

/** Limits on calls that an owner may move. The defaults are the product decisions'. */
export interface CallPolicy {
  readonly freeCall: FreeCallTerms
  /** No call lasts longer, whatever the balance. */
  readonly longestCallMinutes: number
  /** Live calls one user may have at once. */
  readonly concurrentCalls: number
  /** Calls in 24 hours that verify a caller ID: for each user, and to each number. */
  readonly verificationCallsPerDay: number
  /** Between two of them, for a user or to a number. */
  readonly verificationGapSeconds: number
}

export const defaultCallPolicy: CallPolicy = {
  freeCall: defaultFreeCallTerms,
  longestCallMinutes: 60,
  concurrentCalls: 1,
  verificationCallsPerDay: 3,
  verificationGapSeconds: 60,
}
