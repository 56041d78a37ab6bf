// @vocabulary amount: in micro-dollars; the audit log keeps its key.
import { unusedPart } from '#lib/money/refunds.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Services } from '../../context.ts'
import { audit } from '../../observability/audit.ts'
import { lockPayment } from '../rows.ts'
import { refundableOf } from './clawback.ts'
import { askForRefund } from './refund-request.ts'
import { type AskedRefund, findRefundByKey, writeRefundDown } from './refund-rows.ts'

export interface OperatorRefund {
  /** UUID chosen by the requester; a repeated id refunds nothing more. */
  readonly requestId: string
  readonly paymentId: string
  /** Micro-dollars in whole cents; null: the whole unused part. */
  readonly amountMicroUsd: number | null
  readonly reason: string
  readonly actor: string
}

export type OperatorRefundRejection =
  | 'unknown_payment'
  | 'missing_reason'
  | 'disputed'
  | 'call_in_progress'
  | 'too_much'
  | 'nothing_unused'
  | 'refund_refused'
  | 'request_used'

/** Refunds an unused part of a payment of any age. The credits leave the balance before the provider is asked. */
export async function refundPayment(
  services: Services,
  { requestId, paymentId, amountMicroUsd, reason, actor }: OperatorRefund,
): Promise<Result<{ amountMicroUsd: number; state: 'pending' | 'succeeded' }, OperatorRefundRejection>> {
  if (reason.trim() === '') return failure('missing_reason')
  const written = await services.db.transaction<
    Result<{ refund: AskedRefund; fresh: boolean }, OperatorRefundRejection>
  >(async tx => {
    const locked = await lockPayment(tx, paymentId)
    if (locked === undefined || locked.payment.state !== 'paid') return failure('unknown_payment')
    const known = await findRefundByKey(tx, requestId)
    if (known !== undefined) {
      const same =
        known.payment_id === paymentId &&
        (amountMicroUsd ?? known.amount_micro_usd) === known.amount_micro_usd
      return same ? success({ refund: known, fresh: false }) : failure('request_used')
    }
    const { user, payment } = locked
    const [stands] = await tx.query<{ disputed: boolean; calling: boolean }>(
      `select exists (select 1 from dispute where payment_id = $1 and state <> 'won') as disputed,
         exists (select 1 from call where user_id = $2 and state <> 'ended') as calling`,
      [payment.id, user.id],
    )
    if (stands?.disputed === true) return failure('disputed')
    // A running call's limit was set by the balance.
    if (stands?.calling === true && payment.kind !== 'gift') return failure('call_in_progress')
    const unusedMicroUsd = unusedPart(await refundableOf(tx, locked)).amountMicroUsd
    if (unusedMicroUsd === 0) return failure('nothing_unused')
    const refundMicroUsd = amountMicroUsd ?? unusedMicroUsd
    if (refundMicroUsd <= 0 || refundMicroUsd > unusedMicroUsd) return failure('too_much')
    const at = services.clock.now()
    const refund = await writeRefundDown(tx, locked, {
      key: requestId,
      amountMicroUsd: refundMicroUsd,
      at,
      requestedBy: 'operator',
    })
    // The audit log keeps its key: `amount`, in micro-dollars.
    const detail = { paymentId, amount: refundMicroUsd, reason: reason.trim() }
    await audit(tx, { at, actor, action: 'refund', subject: user.id, detail })
    return success({ refund, fresh: true })
  })
  if (!written.ok) return written
  const { refund, fresh } = written.value
  if (fresh) await askForRefund(services, refund)
  const after = await findRefundByKey(services.db, requestId)
  if (after === undefined) throw new Error('a refund that was written down is gone')
  if (after.state === 'failed') return failure('refund_refused')
  return success({ amountMicroUsd: after.amount_micro_usd, state: after.state })
}
