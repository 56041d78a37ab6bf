import { formatCharge } from '#lib/money/money.ts'
import { freeCallMinutes } from '#lib/money/pricing.ts'
import { hourMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import type { AttemptBudget } from '../../limits/attempt-budget.ts'
import { type BudgetSpent, foresee } from '../../limits/reserve.ts'
import { accountSubject } from '../../limits/subjects.ts'
import { isCallerIdOf } from '../caller-ids/caller-ids.ts'
import { type Ring, testCallUse } from './call-budget.ts'
import { testCall } from './test-call-texts.ts'

/** When the account's own budget next allows a test call; the page shows it beforehand. */
export async function findTestCall(services: Services, userId: string): Promise<{ nextAt: string | null }> {
  const subjects = { account: accountSubject(services, userId) }
  const use = { kind: 'test_call', subjects, costMicroUsd: 0 } as const
  const spent = await foresee(services.db, services, use)
  if (spent?.per !== 'account') return { nextAt: null }
  return { nextAt: new Date(services.clock.now().getTime() + spent.waitMs).toISOString() }
}

export type TestCallTerms =
  | { readonly granted: true; readonly minutes: number }
  | { readonly granted: false; readonly message: string }

/** A test call needs a verified number, an ordinary price and room in the budgets. Unanswered, it gives that back. */
export async function testCallTerms(
  tx: Db,
  services: Services,
  ring: Ring,
  budget: AttemptBudget,
): Promise<TestCallTerms> {
  const { testCallMinutes, freeCall } = services.policy
  const { user, destination } = ring
  if (!(await isCallerIdOf(tx, user.id, destination.to))) return denied(testCall.notOwn)
  const minutes = Math.min(testCallMinutes, freeCallMinutes(destination.rateMicroUsd, freeCall))
  if (minutes === 0) return denied(testCall.tooExpensive({ max: formatCharge(freeCall.worthMicroUsd) }))
  const spent = await budget.reserve(testCallUse(services, ring, minutes))
  return spent === undefined ? { granted: true, minutes } : denied(spentText(spent))
}

function denied(message: string): TestCallTerms {
  return { granted: false, message }
}

function spentText({ per, waitMs }: BudgetSpent): string {
  switch (per) {
    case 'account':
      return testCall.tooSoon({ when: inDays(waitMs) })
    case 'prefix':
    case 'everyone':
      return testCall.dayOver
    default:
      return testCall.tooMany
  }
}

function inDays(ms: number): string {
  const hours = Math.max(1, Math.ceil(ms / hourMs))
  return hours <= 48 ? testCall.inHours({ hours }) : testCall.inDays({ days: Math.ceil(hours / 24) })
}
