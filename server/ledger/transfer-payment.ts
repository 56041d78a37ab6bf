import type { RefundState, TransferRecord } from '#lib/api/transfers.ts'
import { formatReceipt } from '#lib/money/receipts.ts'
import { refundableUntil } from '#lib/money/refunds.ts'

export interface TransferRow {
  readonly id: number
  readonly key: string
  /** Micro-dollars, signed as the user sees it. */
  readonly amount_micro_usd: number
  readonly created_at: Date
  readonly balance: number
  readonly call_id: string | null
  readonly to_number: string | null
  readonly payment_id: string | null
  readonly payment_kind: string | null
  readonly receipt: number | null
  readonly paid_at: Date | null
  readonly refund_pending: boolean | null
  readonly refund_done: boolean | null
}

/** SQL for the columns of the payment of each listed transfer, with the tables they come from. `own` is the user's account. */
export const paymentColumns = (listed: string) => `
  ${listed}.payment_id, payment.kind as payment_kind, payment.receipt, payment.paid_at, claim.pending as refund_pending,
  payment.refunded >= payment.amount or claim.asked_and_done as refund_done
from own cross join ${listed}
left join payment on payment.id = ${listed}.payment_id
left join lateral (
  select coalesce(bool_or(state = 'pending'), false) as pending,
    coalesce(bool_or(state = 'succeeded' and requested_by = 'user'), false) as asked_and_done
  from refund where payment_id = payment.id) claim on true`

export function listedPayment(
  row: TransferRow,
  kind: TransferRecord['kind'],
  now: Date,
): TransferRecord['payment'] {
  if (row.payment_id === null) return null
  return {
    id: row.payment_id,
    refund: refundStateOf(row, kind, now),
    receipt: row.receipt === null || row.paid_at === null ? null : formatReceipt(row.receipt, row.paid_at),
  }
}

/** Shown once per payment, with the original transfer. */
function refundStateOf(row: TransferRow, kind: TransferRecord['kind'], now: Date): RefundState {
  if ((kind !== 'payment' && kind !== 'auto_topup') || row.paid_at === null) return 'none'
  if (row.refund_pending === true) return 'pending'
  if (row.refund_done === true) return 'refunded'
  return now <= refundableUntil(row.paid_at) ? 'open' : 'none'
}
