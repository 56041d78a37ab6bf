import type { GiftRecord, GiftState } from '#lib/api/gifts.ts'
import { formatGiftCode } from '#lib/money/gift-code.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Services } from '../../context.ts'
import { awaitsReview, isUncontested } from '../../ledger/kept.ts'
import { type GiftRow, giftColumns, openGiftCode } from './gift-rows.ts'
import { namesOf } from './issue-gift.ts'

/** Max booklets listed, newest first. */
const listed = 100

interface SentRow extends GiftRow {
  readonly amount_micro_usd: number
  readonly paid_at: Date
  readonly waits: boolean
  readonly uncontested: boolean
  readonly left_micro_usd: number
  readonly refund_pending: boolean
}

/** The paid booklets of a user. */
export async function listSentGifts(services: Services, userId: string): Promise<GiftRecord[]> {
  const rows = await services.db.query<SentRow>(
    `select ${giftColumns}, payment.amount as amount_micro_usd, payment.paid_at, ${awaitsReview('payment')} as waits,
       ${isUncontested('payment')} as uncontested, pot.amount as left_micro_usd,
       exists (select 1 from refund where refund.payment_id = payment.id and refund.state = 'pending') as refund_pending
     from gift join payment on payment.id = gift.payment_id
     cross join lateral (
       select coalesce(sum(case when account.id = credit_account then transfer.amount else -transfer.amount end), 0)::bigint
         as amount
       from transfer join account on account.id in (debit_account, credit_account)
       where transfer.payment_id = payment.id and account.kind in ('gifts', 'unreleased')) pot
     where gift.user_id = $1 and payment.state = 'paid' order by payment.paid_at desc, payment.id limit ${listed}`,
    [userId],
  )
  return rows.map(row => present(services, row))
}

function present(services: Services, row: SentRow): GiftRecord {
  const state = stateOf(row)
  const code = state === 'ready' ? openGiftCode(services, row.code_sealed) : null
  const worthMicroUsd = state === 'ready' ? row.left_micro_usd : row.amount_micro_usd
  return {
    id: row.payment_id,
    state,
    amount: microUsdToUsd(worthMicroUsd),
    ...namesOf(row),
    recipientEmail: row.recipient_email,
    mailed: row.mailed,
    code: code === null ? null : formatGiftCode(code),
    paidAt: row.paid_at.toISOString(),
    redeemedAt: row.redeemed_at?.toISOString() ?? null,
  }
}

function stateOf(row: SentRow): GiftState {
  if (row.redeemed_at !== null) return 'redeemed'
  if (!row.uncontested) return 'disputed'
  if (row.left_micro_usd === 0) return row.refund_pending ? 'refunding' : 'refunded'
  return row.waits ? 'in_review' : 'ready'
}
