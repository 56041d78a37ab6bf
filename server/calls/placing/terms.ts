import { affordableMinutes, freeCallMinutes } from '#lib/money/pricing.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { UserRow } from '../../identity/users.ts'
import type { AttemptBudget } from '../../limits/attempt-budget.ts'
import type { BudgetSpent } from '../../limits/reserve.ts'
import { unheldBalance } from '../../spending/trust-tier.ts'
import type { CallAttempt, RejectionCode } from '../../telephony/port.ts'
import { freeCallUse, type Ring } from './call-budget.ts'
import { rejections } from './rejection-texts.ts'
import { freeCallSpentMessage, freeCallSpentText, limitTexts, notFree } from './rejections.ts'
import { testCallTerms } from './test-call.ts'

/** `spent`: the exhausted budget, if the call could have been free otherwise. */
type Terms =
  | { readonly covered: true; readonly minutes: number; readonly free: true }
  | {
      readonly covered: true
      readonly minutes: number
      readonly free: false
      readonly spent: BudgetSpent | undefined
    }
  | { readonly covered: false; readonly rejection: RejectionCode; readonly message: string | undefined }

/**
 * A test call is granted or rejected, never charged. Any other is free if the user's free call covers it and the budget
 * has room, which is then reserved. Otherwise it gets what the balance covers beyond the holds of other calls.
 */
export async function termsFor(
  tx: Db,
  services: Services,
  asked: Ring & { readonly user: UserRow; readonly purpose: CallAttempt['purpose'] },
  budget: AttemptBudget,
): Promise<Terms> {
  const { user, destination } = asked
  const { rateMicroUsd } = destination
  if (asked.purpose === 'test') {
    const test = await testCallTerms(tx, services, asked, budget)
    return test.granted
      ? { covered: true, minutes: test.minutes, free: true }
      : { covered: false, rejection: 'test_call', message: test.message }
  }
  const wouldBeFree = user.free_call === 'available'
  const freeMinutes = wouldBeFree ? freeCallMinutes(rateMicroUsd, services.policy.freeCall) : 0
  const use = freeMinutes > 0 ? freeCallUse(services, asked, freeMinutes) : undefined
  const spent = use && (await budget.reserve(use))
  if (freeMinutes > 0 && spent === undefined) return { covered: true, minutes: freeMinutes, free: true }
  const minutes = affordableMinutes(await unheldBalance(tx, user.id), rateMicroUsd)
  if (minutes > 0) return { covered: true, minutes, free: false, spent }
  if (spent !== undefined)
    return { covered: false, rejection: 'free_call_limit', message: freeCallSpentText(spent) }
  const message = wouldBeFree ? limitTexts.freeCallRate(services.policy, rateMicroUsd) : undefined
  return { covered: false, rejection: 'no_credits', message }
}

/** Why a call promised as free would be charged: its budget, or else a missing free call or the price. */
export function notFreeMessage(
  { user, destination }: Ring & { readonly user: UserRow },
  spent: BudgetSpent | undefined,
): string {
  const { rateMicroUsd } = destination
  if (user.free_call !== 'available') return notFree(rejections.freeUnavailable, rateMicroUsd)
  if (spent !== undefined) return notFree(freeCallSpentMessage(spent), rateMicroUsd)
  return notFree(rejections.freeNotCovered, rateMicroUsd)
}
