import { minuteMs } from '#lib/time.ts'
import type { Db } from '../../db/port.ts'
import type { LockedPayment } from '../rows.ts'
import { settleClawback } from './clawback.ts'

export interface AskedRefund {
  readonly ref: string
  readonly key: string
  readonly payment_id: string
  readonly intent_ref: string
  readonly amount_micro_usd: number
  readonly state: 'pending' | 'succeeded' | 'failed'
}

export const askedColumns = 'ref, key, payment_id, intent_ref, amount as amount_micro_usd, state'

/** Delay before an unanswered refund is requested again. */
export const refundGraceMs = minuteMs

export async function findRefundByKey(db: Db, key: string): Promise<AskedRefund | undefined> {
  const [refund] = await db.query<AskedRefund>(`select ${askedColumns} from refund where key = $1`, [key])
  return refund
}

export interface RefundOrder {
  readonly key: string
  readonly amountMicroUsd: number
  readonly at: Date
  readonly requestedBy: 'user' | 'operator' | 'system'
}

/** Saves a refund before the provider is asked. Nobody waits for a `system` refund: the worker's next turn requests it. */
export async function writeRefundDown(
  tx: Db,
  locked: LockedPayment,
  { key, amountMicroUsd, at, requestedBy }: RefundOrder,
): Promise<AskedRefund> {
  const askedAt = requestedBy === 'system' ? new Date(at.getTime() - refundGraceMs) : at
  const [refund] = await tx.query<AskedRefund>(
    `insert into refund (ref, key, intent_ref, payment_id, amount, state, requested_by, created_at, asked_at)
     values ($1, $2, $3, $4, $5, 'pending', $7, $6, $8) returning ${askedColumns}`,
    [
      `asked:${key}`,
      key,
      locked.payment.intent_ref,
      locked.payment.id,
      amountMicroUsd,
      at,
      requestedBy,
      askedAt,
    ],
  )
  if (refund === undefined) throw new Error('a refund was not written down')
  await settleClawback(tx, locked, `refund:${refund.ref}`, at)
  return refund
}
