import type { RefundState, TransferRecord } from '#lib/api/transfers.ts'
import { formatReceipt } from '#lib/money/receipts.ts'
import { refundableUntil } from '#lib/money/refunds.ts'
import type { GiftOfTransfer } from './transfer-texts.ts'

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
  /** Of the booklet that the transfer is about. */
  readonly to_name: string | null
  readonly from_name: string | null
  readonly paid_micro_usd: number | null
  /** Of a transfer of the user's own booklet, whether it touches the balance or not. */
  readonly moved_micro_usd: number | null
  readonly gift_redeemed: boolean
  readonly refund_pending: boolean | null
  readonly refund_done: boolean | null
}

/** SQL for the columns of the payment of each listed transfer, with the tables they come from. `own` is the user's account, `$1` the user. */
export const paymentColumns = (listed: string) => `
  payment.id as payment_id, gift.to_name, gift.from_name, gift.redeemed_at is not null as gift_redeemed,
  payment.amount as paid_micro_usd,
  case when payment.kind = 'gift' then (select amount from transfer where transfer.id = ${listed}.id) end as moved_micro_usd,
  payment.kind as payment_kind, payment.receipt, payment.paid_at, claim.pending as refund_pending,
  payment.refunded >= payment.amount or claim.asked_and_done as refund_done
from own cross join ${listed}
left join payment on payment.id = ${listed}.payment_id and payment.user_id = $1
left join gift on gift.payment_id = ${listed}.payment_id
left join lateral (
  select coalesce(bool_or(state = 'pending'), false) as pending,
    coalesce(bool_or(state = 'succeeded' and requested_by = 'user'), false) as asked_and_done
  from refund where refund.payment_id = payment.id) claim on true`

/** SQL for transfers of the user's (`$1`) booklets that do not touch the balance. `$2` and `$3` are as in the walks. */
const ofGifts = (among: string) => `
  (select transfer.id, key, 0::bigint as amount, transfer.created_at, call_id, transfer.payment_id
   from gift join transfer on transfer.payment_id = gift.payment_id
   where gift.user_id = $1 and transfer.id < $2 and ${among}
   order by transfer.id desc limit $3)`

/** The booklets that the user has bought. One transfer each, and a bounded number of booklets. */
export const giftsBought = ofGifts(`key in ('gift:' || gift.payment_id, 'held:' || gift.payment_id)`)

/** Refunds and disputes of booklets that nobody had redeemed; afterwards they touch the buyer's balance. */
export const giftsReturned = ofGifts(`key ~ '^(refund|dispute):' and exists (
     select 1 from account where id in (debit_account, credit_account) and kind in ('gifts', 'unreleased'))`)

export function giftOf(row: TransferRow): GiftOfTransfer {
  const { to_name, from_name, paid_micro_usd, moved_micro_usd, amount_micro_usd } = row
  return {
    toName: to_name,
    fromName: from_name,
    paidMicroUsd: paid_micro_usd ?? 0,
    besideMicroUsd: amount_micro_usd === 0 ? moved_micro_usd : null,
  }
}

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
  const isPurchase = kind === 'payment' || kind === 'auto_topup' || kind === 'gift'
  if (!isPurchase || row.paid_at === null) return 'none'
  if (row.refund_pending === true) return 'pending'
  if (row.refund_done === true) return 'refunded'
  if (kind === 'gift') return row.gift_redeemed ? 'none' : 'open'
  return now <= refundableUntil(row.paid_at) ? 'open' : 'none'
}
