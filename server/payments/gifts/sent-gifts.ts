import type { GiftRecord, GiftState, UnredeemedGift as UnredeemedRecord } from '#lib/api/gifts.ts'
import { formatGiftCode } from '#lib/money/gift-code.ts'
import { microUsdToUsd } from '#lib/money/money.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { awaitsReview, isBlocked, isUncontested } from '../../ledger/kept.ts'
import { type GiftRow, giftColumns, namesOf, openGiftCode } from './gift-rows.ts'

/** Max booklets listed, newest first. */
const listed = 100

interface SentRow extends GiftRow {
  readonly amount_micro_usd: number
  readonly paid_at: Date
  readonly waits: boolean
  readonly uncontested: boolean
  readonly left_micro_usd: number
  readonly refund_pending: boolean
  readonly blocked: boolean
}

/** A paid booklet that nobody has redeemed. */
export interface UnredeemedGift extends Pick<UnredeemedRecord, 'state' | 'toName'> {
  readonly amountMicroUsd: number
}

/** The paid booklets of a user. */
export async function listSentGifts(services: Services, userId: string): Promise<GiftRecord[]> {
  return (await paidGifts(services.db, 'gift.user_id', userId, listed)).map(row => present(services, row))
}

/** All paid booklets of a user that somebody may still redeem, or could if they were not held back; the newest first. */
export async function unredeemedGifts(db: Db, userId: string): Promise<UnredeemedGift[]> {
  return (await paidGifts(db, 'gift.user_id', userId, null)).flatMap(row => {
    const state = stateOf(row)
    if (state !== 'ready' && state !== 'on_hold' && state !== 'in_review') return []
    return [{ state, toName: row.to_name ?? '', amountMicroUsd: row.left_micro_usd }]
  })
}

/** What has become of a paid booklet. */
export async function giftStateOf(db: Db, paymentId: string): Promise<GiftState | undefined> {
  const [row] = await paidGifts(db, 'gift.payment_id', paymentId, 1)
  return row && stateOf(row)
}

/** @param id of the buyer or of the payment @param max null: all */
async function paidGifts(
  db: Db,
  column: 'gift.user_id' | 'gift.payment_id',
  id: string,
  max: number | null,
): Promise<SentRow[]> {
  return db.query<SentRow>(
    `select ${giftColumns}, payment.amount as amount_micro_usd, payment.paid_at, ${awaitsReview('payment')} as waits,
       ${isUncontested('payment')} as uncontested, pot.amount as left_micro_usd, ${isBlocked('app_user')} as blocked,
       exists (select 1 from refund where refund.payment_id = payment.id and refund.state = 'pending') as refund_pending
     from gift join payment on payment.id = gift.payment_id join app_user on app_user.id = gift.user_id
     cross join lateral (
       select coalesce(sum(case when account.id = credit_account then transfer.amount else -transfer.amount end), 0)::bigint
         as amount
       from transfer join account on account.id in (debit_account, credit_account)
       where transfer.payment_id = payment.id and account.kind in ('gifts', 'unreleased')) pot
     where ${column} = $1 and payment.state = 'paid' order by payment.paid_at desc, payment.id limit $2`,
    [id, max],
  )
}

function present(services: Services, row: SentRow): GiftRecord {
  const state = stateOf(row)
  const code = state === 'ready' ? openGiftCode(services, row.code_sealed) : null
  const worthMicroUsd = state === 'ready' || state === 'on_hold' ? row.left_micro_usd : row.amount_micro_usd
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
  if (row.waits) return 'in_review'
  return row.blocked ? 'on_hold' : 'ready'
}
