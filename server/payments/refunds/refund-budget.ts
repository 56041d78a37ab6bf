import { failure, type Result } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { BudgetIsSpent } from '../../limits/budget-is-spent.ts'
import { type BudgetUse, foresee, reportSpent, reserve, returnUse } from '../../limits/reserve.ts'
import { accountSubject, cardSubject } from '../../limits/subjects.ts'
import type { LockedPayment } from '../rows.ts'

/** What users refund themselves, by account and by card (ADR-77). A card without a fingerprint counts for its account alone. */
async function refundUse(
  db: Db,
  services: Services,
  { user, payment }: LockedPayment,
  amountMicroUsd: number,
): Promise<BudgetUse> {
  const [card] = await db.query<{ fingerprint: string | null }>(
    'select card_fingerprint as fingerprint from payment where id = $1',
    [payment.id],
  )
  const fingerprint = card?.fingerprint ?? null
  return {
    kind: 'refund',
    subjects: {
      account: accountSubject(services, user.id),
      ...(fingerprint !== null && { card: cardSubject(services, fingerprint) }),
    },
    costMicroUsd: amountMicroUsd,
  }
}

/** @throws BudgetIsSpent when a refund would not fit now; reserves nothing */
export async function checkRefundBudget(
  db: Db,
  services: Services,
  locked: LockedPayment,
  amountMicroUsd: number,
): Promise<void> {
  const spent = await foresee(db, services, await refundUse(db, services, locked, amountMicroUsd))
  if (spent !== undefined) throw new BudgetIsSpent(spent)
}

/** Call at the end of the transaction: it locks budgets. @throws BudgetIsSpent */
export async function reserveRefund(
  tx: Db,
  services: Services,
  locked: LockedPayment,
  amountMicroUsd: number,
): Promise<void> {
  const reserved = await reserve(tx, services, [await refundUse(tx, services, locked, amountMicroUsd)])
  if (!reserved.ok) throw new BudgetIsSpent(reserved.spent)
}

/** After a refund that the provider rejected. Call at the end of the transaction: it locks budgets. */
export async function returnRefund(
  tx: Db,
  services: Services,
  locked: LockedPayment,
  amountMicroUsd: number,
): Promise<void> {
  await returnUse(tx, services, await refundUse(tx, services, locked, amountMicroUsd))
}

/** Runs work that may throw `BudgetIsSpent`. Then an operator decides: the log names the payment, unless the user only looks. */
export async function withinRefundBudget<Value, Code extends string>(
  services: Services,
  paymentId: string,
  work: () => Promise<Result<Value, Code>>,
  { looksOnly = false } = {},
): Promise<Result<Value, Code | 'refund_limit'>> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BudgetIsSpent)) throw error
    if (looksOnly) return failure('refund_limit')
    reportSpent(services, error.spent)
    services.log.warn(
      { paymentId, per: error.spent.per },
      'a refund waits for an operator: its budget is used up',
    )
    return failure('refund_limit')
  }
}
