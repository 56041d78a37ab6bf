import { dayMs } from '#lib/time.ts'
import { cardPayerDays } from '../config/policy.ts'
import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import type { PaymentRow } from './rows.ts'

export interface Review {
  /** Micro-dollars; 0: none. */
  readonly held: number
  /** `card`: too many accounts pay with it. Null if nothing is held. */
  readonly heldFor: 'amount' | 'card' | null
}

interface ReviewedPayment {
  readonly userId: string
  readonly kind: PaymentRow['kind']
  readonly amountMicroUsd: number
  readonly fingerprint: string | null
}

/**
 * How much of a payment is reviewed first: all of it if too many other accounts have paid with its card, otherwise what
 * exceeds the user's max for 24 hours. An unknown card counts as unique.
 */
export async function reviewOf(
  tx: Db,
  { paymentPolicy }: Pick<Services, 'paymentPolicy'>,
  payment: ReviewedPayment,
  at: Date,
): Promise<Review> {
  const { userId, amountMicroUsd, fingerprint, kind } = payment
  if (fingerprint !== null) await lockCard(tx, fingerprint)
  if (
    fingerprint !== null &&
    (await isCardShared(tx, paymentPolicy.accountsPerCard, userId, fingerprint, at))
  )
    return { held: amountMicroUsd, heldFor: 'card' }
  const [row] = await tx.query<{ paid: number }>(
    `select coalesce(sum(amount), 0)::bigint as paid from payment
     where user_id = $1 and state = 'paid' and paid_at > $2`,
    [userId, new Date(at.getTime() - dayMs)],
  )
  if (kind === 'gift') {
    // A booklet cannot be redeemed in part, so all of it waits.
    const isBeyond =
      (row?.paid ?? 0) + amountMicroUsd > paymentPolicy.reviewAboveMicroUsd ||
      (await giftsPaid(tx, payment, at)) + amountMicroUsd > paymentPolicy.gift.dailyMicroUsd
    return isBeyond ? { held: amountMicroUsd, heldFor: 'amount' } : { held: 0, heldFor: null }
  }
  const beyond = (row?.paid ?? 0) + amountMicroUsd - paymentPolicy.reviewAboveMicroUsd
  const held = Math.min(Math.max(beyond, 0), amountMicroUsd)
  return { held, heldFor: held > 0 ? 'amount' : null }
}

/** Paid for booklets in 24 hours, by this account or with this card, which must be locked. Micro-dollars. */
async function giftsPaid(tx: Db, { userId, fingerprint }: ReviewedPayment, at: Date): Promise<number> {
  const [row] = await tx.query<{ paid: number }>(
    `select coalesce(sum(amount), 0)::bigint as paid from payment
     where kind = 'gift' and state = 'paid' and paid_at > $3 and (user_id = $1 or card_fingerprint = $2)`,
    [userId, fingerprint, new Date(at.getTime() - dayMs)],
  )
  return row?.paid ?? 0
}

/** Serialises payments with one card until the transaction ends, so that the second sees the first. Users are locked before. */
async function lockCard(tx: Db, fingerprint: string): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [fingerprint])
}

/** Whether `maxOthers` other accounts paid with this card before this one first did. The earlier accounts are not affected. The card must be locked. */
async function isCardShared(
  tx: Db,
  maxOthers: number,
  userId: string,
  fingerprint: string,
  at: Date,
): Promise<boolean> {
  const [row] = await tx.query<{ others: number; cleared: boolean | null }>(
    `select count(*)::int as others, (select cleared from card_payer where fingerprint = $1 and user_id = $2) as cleared
     from card_payer other
     where fingerprint = $1 and user_id <> $2 and last_paid_at > $3 and not exists (
       select 1 from card_payer own where own.fingerprint = $1 and own.user_id = $2 and own.last_paid_at > $3
         and (own.first_paid_at, own.user_id) <= (other.first_paid_at, other.user_id))`,
    [fingerprint, userId, new Date(at.getTime() - cardPayerDays * dayMs)],
  )
  return row !== undefined && row.cleared !== true && row.others >= maxOthers
}

/** Records that an account paid with a card. Starts again if its last payment is too long ago. */
export async function noteCardPayer(tx: Db, fingerprint: string, userId: string, at: Date): Promise<void> {
  await tx.query(
    `insert into card_payer (fingerprint, user_id, first_paid_at, last_paid_at) values ($1, $2, $3, $3)
     on conflict (fingerprint, user_id) do update set last_paid_at = excluded.last_paid_at,
       first_paid_at = case when card_payer.last_paid_at > $4 then card_payer.first_paid_at
         else excluded.first_paid_at end`,
    [fingerprint, userId, at, new Date(at.getTime() - cardPayerDays * dayMs)],
  )
}

/** After an operator's review: the card of this account is no reason for another one. */
export async function clearCardPayer(tx: Db, paymentId: string): Promise<void> {
  await tx.query(
    `update card_payer set cleared = true from payment
     where payment.id = $1 and fingerprint = card_fingerprint and card_payer.user_id = payment.user_id`,
    [paymentId],
  )
}
