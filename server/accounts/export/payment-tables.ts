import { formatReceipt } from '#lib/money/receipts.ts'
import type { Services } from '../../context.ts'
import { money, time } from './cells.ts'
import { paged, paging } from './paged.ts'

interface PaymentLine {
  readonly sort_at: Date
  readonly sort_id: string
  readonly kind: string
  readonly state: string
  readonly paid_at: Date | null
  readonly receipt: number | null
  readonly intent_ref: string | null
  readonly amount_micro_usd: number
  readonly bonus: number
  readonly held: number
  readonly released_at: Date | null
  readonly refunded: number
  readonly billed_name: string | null
  readonly billed_email: string | null
  readonly card_brand: string | null
  readonly card_last4: string | null
  readonly failure: string | null
}

export function readPayments({ db }: Services, userId: string, until: Date) {
  return paged<PaymentLine>(
    db,
    `select created_at as sort_at, id as sort_id, kind, state, paid_at, receipt, intent_ref,
       amount as amount_micro_usd, bonus, held, released_at, refunded, billed_name,
       billed_email, card_brand, card_last4, failure
     from payment where user_id = $1 and ${paging('created_at', 'id')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      kind: row.kind,
      state: row.state,
      created_at: time(row.sort_at),
      paid_at: time(row.paid_at),
      receipt: row.receipt === null || row.paid_at === null ? null : formatReceipt(row.receipt, row.paid_at),
      reference: row.intent_ref,
      ...money('amount', row.amount_micro_usd),
      ...money('bonus', row.bonus),
      ...money('held', row.held),
      released_at: time(row.released_at),
      ...money('refunded', row.refunded),
      billed_name: row.billed_name,
      billed_email: row.billed_email,
      card_brand: row.card_brand,
      card_last4: row.card_last4,
      failure: row.failure,
    }),
  )
}

interface ClaimLine {
  readonly sort_at: Date
  readonly sort_id: string
  readonly kind: string
  readonly payment_id: string
  readonly state: string
  readonly requested_by: string | null
  readonly amount_micro_usd: number
}

export function readRefunds({ db }: Services, userId: string, until: Date) {
  return paged<ClaimLine>(
    db,
    `select created_at as sort_at, ref as sort_id, kind, payment_id, state, requested_by,
       amount as amount_micro_usd from (
       select refund.created_at, ref, 'refund' as kind, payment_id, refund.state, requested_by, refund.amount
       from refund join payment on payment.id = payment_id where user_id = $1
       union all
       select dispute.created_at, ref, 'dispute', payment_id, dispute.state, null, dispute.amount
       from dispute join payment on payment.id = payment_id where user_id = $1) claim
     where ${paging('created_at', 'ref', 'text')}`,
    userId,
    until,
    row => ({
      id: row.sort_id,
      kind: row.kind,
      payment_id: row.payment_id,
      state: row.state,
      requested_by: row.requested_by,
      created_at: time(row.sort_at),
      ...money('amount', row.amount_micro_usd),
    }),
  )
}

interface GiftLine {
  readonly sort_at: Date
  readonly sort_id: string
  readonly kind: 'sent' | 'redeemed'
  readonly from_name: string | null
  readonly to_name: string | null
  readonly message: string | null
  readonly recipient_email: string | null
  readonly amount_micro_usd: number
  readonly redeemed_at: Date | null
}

/** Somebody else's booklet shows what its redeemer was shown, and nothing of its payment. */
export function readGifts({ db }: Services, userId: string, until: Date) {
  return paged<GiftLine>(
    db,
    `select at as sort_at, line as sort_id, kind, from_name, to_name, message, recipient_email,
       amount as amount_micro_usd, redeemed_at from (
       select paid_at as at, payment.id::text as line, 'sent' as kind, from_name, to_name, message, recipient_email,
         payment.amount, redeemed_at
       from gift join payment on payment.id = payment_id where payment.user_id = $1 and state = 'paid'
       union all
       select redeemed_at, transfer.id::text, 'redeemed', from_name, to_name, message, null, transfer.amount, redeemed_at
       from gift join transfer on transfer.key = 'gift_redeem:' || gift.payment_id where redeemed_by = $1) line
     where ${paging('at', 'line', 'text')}`,
    userId,
    until,
    row => ({
      id: row.kind === 'sent' ? row.sort_id : null,
      kind: row.kind,
      from_name: row.from_name,
      to_name: row.to_name,
      message: row.message,
      recipient_email: row.recipient_email,
      ...money('amount', row.amount_micro_usd),
      at: time(row.sort_at),
      redeemed_at: time(row.redeemed_at),
    }),
  )
}
