import { defaultFreeCallTerms, type FreeCallTerms } from '#lib/rules/pricing.ts'

/** Limits on calls that an owner may move. The defaults are the product decisions'. */
export interface CallPolicy {
  readonly freeCall: FreeCallTerms
  /** No call lasts longer, whatever the balance. */
  readonly longestCallMinutes: number
  /** Live calls one user may have at once. */
  readonly concurrentCalls: number
}

export const defaultCallPolicy: CallPolicy = {
  freeCall: defaultFreeCallTerms,
  longestCallMinutes: 60,
  concurrentCalls: 1,
}
