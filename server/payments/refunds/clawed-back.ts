import type { Db } from '../../db/port.ts'
import type { LockedPayment } from '../rows.ts'

/** Amounts clawed back or due to be. Micro-dollars. */
export interface ClawedBack {
  readonly amountMicroUsd: number
  readonly bonus: number
}

interface Sources {
  readonly customer: number
  readonly unreleased: number
  readonly gifts: number
  readonly losses: number
}

/** Sum of the payment's refunds and disputes, and the proportional part of its bonus, if the bonus was given. */
export async function dueNow(tx: Db, payment: LockedPayment['payment']): Promise<ClawedBack> {
  const [row] = await tx.query<{ amount_micro_usd: number }>(
    `select (select coalesce(sum(amount), 0) from refund where payment_id = $1 and state <> 'failed')::bigint
          + (select coalesce(sum(amount), 0) from dispute where payment_id = $1 and state <> 'won')::bigint
       as amount_micro_usd`,
    [payment.id],
  )
  const amountMicroUsd = row?.amount_micro_usd ?? 0
  if (payment.held > 0 && payment.released_at === null) return { amountMicroUsd, bonus: 0 }
  // BigInt: the product may exceed what a number holds exactly.
  const share = Number((BigInt(payment.bonus) * BigInt(amountMicroUsd)) / BigInt(payment.amount_micro_usd))
  return { amountMicroUsd, bonus: Math.min(payment.bonus, share) }
}

/** What of a payment was already lost when the refund with this key was requested. Micro-dollars. */
export async function lostBefore(tx: Db, paymentId: string, key: string): Promise<number> {
  // Posting requires the payment's lock, so the ids of its transfers are in chronological order.
  const [row] = await tx.query<{ lost: number }>(
    `select coalesce(sum(case when account.id = debit_account then amount else -amount end), 0)::bigint as lost
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 and key ~ '^(refund|dispute|release-bonus):' and account.kind = 'dispute_losses'
       and transfer.id < (select min(id) from transfer where payment_id = $1 and starts_with(key, 'refund:asked:' || $2))`,
    [paymentId, key],
  )
  return row?.lost ?? 0
}

export async function clawedBackSoFar(
  tx: Db,
  paymentId: string,
): Promise<{ before: ClawedBack; sources: Sources }> {
  const rows = await tx.query<{ kind: string; taken: number }>(
    `select account.kind, sum(case when account.id = debit_account then amount else -amount end)::bigint as taken
     from transfer join account on account.id in (debit_account, credit_account)
     where payment_id = $1 and key ~ '^(refund|dispute|release-bonus):' group by account.kind`,
    [paymentId],
  )
  const of = (kind: string) => rows.find(row => row.kind === kind)?.taken ?? 0
  return {
    before: { amountMicroUsd: -of('payments'), bonus: -of('promotions') },
    sources: {
      customer: of('customer'),
      unreleased: of('unreleased'),
      gifts: of('gifts'),
      losses: of('dispute_losses'),
    },
  }
}
