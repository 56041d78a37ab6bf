import type { Db } from '../../db/port.ts'
import { autoTopUpReceipt } from '../../mail/auto-top-up-letters.ts'
import { receiptLetter } from '../../mail/receipt-letter.ts'
import type { KeptCard, PaymentNews } from '../../payments/port.ts'
import { lockLiveCalls, raiseLimits } from '../calls/limits.ts'
import type { Services } from '../context.ts'
import { post } from '../ledger.ts'
import { queueLetter } from '../queue-letter.ts'
import { attributePayment, markReferralDue } from '../referral-attribution.ts'
import type { UserRow } from '../users.ts'
import { Contradiction } from './contradiction.ts'
import { settleWaitingClaims } from './refunds.ts'
import { type LockedPayment, type PaymentRow, paymentColumns } from './rows.ts'

export type PaidNews = Extract<PaymentNews, { kind: 'paid' }>

const dayMs = 24 * 3600 * 1000

/**
 * A payment was paid: its credits, its receipt and the mail with it, the kept card, and what was heard of it before.
 * One that is paid already stays as it is; one that had expired or failed is paid all the same.
 * @param locked the payment that the news names, locked
 * @returns the card that is kept no more, as another took its place
 * @throws Contradiction when what was paid is not what was to be paid
 */
export async function fulfil(
  tx: Db,
  services: Services,
  locked: LockedPayment,
  news: PaidNews,
): Promise<KeptCard | undefined> {
  const { user, payment } = locked
  if (news.amountMicroUsd !== payment.amount) {
    throw new Contradiction(`payment ${payment.id} of ${payment.amount} was paid with ${news.amountMicroUsd}`)
  }
  if (payment.state === 'paid') {
    if (payment.intent_ref !== news.intentRef) throw new Contradiction(`payment ${payment.id} was paid twice`)
    return undefined
  }
  const at = services.clock.now()
  await lockLiveCalls(tx, user.id)
  const held = await heldPart(tx, services, payment, at)
  const paid = await markPaid(tx, payment, news, held, at)
  const transfer = { credit: user.account_id, paymentId: paid.id, at } as const
  const atOnce = paid.amount - held
  if (atOnce > 0) {
    await post(tx, { ...transfer, key: `payment:${paid.id}`, debit: 'payments', amountMicroUsd: atOnce })
  }
  if (held > 0) {
    const key = `held:${paid.id}`
    await post(tx, { ...transfer, key, debit: 'payments', credit: 'unreleased', amountMicroUsd: held })
  } else if (paid.bonus > 0) {
    const key = `bonus:${paid.id}`
    await post(tx, { ...transfer, key, debit: 'promotions', amountMicroUsd: paid.bonus })
  }
  const replaced = await keepCard(tx, paid, news, at)
  await forgetTopUpTroubles(tx, user.id)
  await queueReceipt(tx, services, user, paid)
  await settleWaitingClaims(tx, { user, payment: paid }, at)
  await attributePayment(tx, paid.id, at)
  await markReferralDue(tx, user.id, at)
  await raiseLimits(tx, services, user.id)
  return replaced
}

/** What of a payment goes beyond the most that a user gets at once for what they pay in 24 hours. Micro-dollars. */
export async function heldPart(
  tx: Db,
  { paymentPolicy }: Services,
  payment: Pick<PaymentRow, 'user_id' | 'amount'>,
  at: Date,
): Promise<number> {
  const [row] = await tx.query<{ paid: number }>(
    `select coalesce(sum(amount), 0)::bigint as paid from payment
     where user_id = $1 and state = 'paid' and paid_at > $2`,
    [payment.user_id, new Date(at.getTime() - dayMs)],
  )
  const beyond = (row?.paid ?? 0) + payment.amount - paymentPolicy.reviewAboveMicroUsd
  return Math.min(Math.max(beyond, 0), payment.amount)
}

async function markPaid(
  tx: Db,
  payment: PaymentRow,
  { intentRef, checkoutRef, card }: PaidNews,
  held: number,
  at: Date,
): Promise<PaymentRow> {
  const [row] = await tx.query<PaymentRow>(
    `update payment set state = 'paid', paid_at = $2, receipt = nextval('receipt_number'), intent_ref = $3,
       checkout_ref = coalesce(checkout_ref, $4), held = $5, failure = null, card_brand = $6, card_last4 = $7,
       card_fingerprint = $8
     where id = $1 returning ${paymentColumns}`,
    [
      payment.id,
      at,
      intentRef,
      checkoutRef,
      held,
      card?.brand ?? null,
      card?.last4 ?? null,
      card?.fingerprint ?? null,
    ],
  )
  if (row === undefined) throw new Error('the locked payment is gone')
  return row
}

/** Keeps the card if its owner agreed to it before they paid; it takes the place of an earlier one. */
async function keepCard(
  tx: Db,
  payment: PaymentRow,
  { card, kept }: PaidNews,
  at: Date,
): Promise<KeptCard | undefined> {
  if (!payment.saves_card || card === null || kept === null) return undefined
  const [earlier] = await tx.query<{ customer_ref: string; method_ref: string }>(
    'select customer_ref, method_ref from saved_card where user_id = $1 and provider = $2',
    [payment.user_id, payment.provider],
  )
  await tx.query(
    `insert into saved_card (user_id, provider, customer_ref, method_ref, brand, last4, fingerprint, consented_at,
       saved_at) values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict (user_id) do update set provider = excluded.provider, customer_ref = excluded.customer_ref,
       method_ref = excluded.method_ref, brand = excluded.brand, last4 = excluded.last4,
       fingerprint = excluded.fingerprint, consented_at = excluded.consented_at, saved_at = excluded.saved_at`,
    [
      payment.user_id,
      payment.provider,
      kept.customerRef,
      kept.methodRef,
      card.brand,
      card.last4,
      card.fingerprint,
      payment.created_at,
      at,
    ],
  )
  await tx.query(
    'update app_user set has_saved_payment_method = true, auto_topup_enabled = true where id = $1',
    [payment.user_id],
  )
  if (earlier === undefined || earlier.method_ref === kept.methodRef) return undefined
  return { customerRef: earlier.customer_ref, methodRef: earlier.method_ref }
}

/** Auto top-up begins anew once something was paid: what failed before counts no more. */
async function forgetTopUpTroubles(tx: Db, userId: string): Promise<void> {
  await tx.query(
    `update app_user set auto_topup_failures = 0, auto_topup_trouble = null
     where id = $1 and (auto_topup_failures > 0 or auto_topup_trouble is not null)`,
    [userId],
  )
}

async function queueReceipt(tx: Db, services: Services, user: UserRow, payment: PaymentRow): Promise<void> {
  const letterOf = payment.kind === 'auto_topup' ? autoTopUpReceipt : receiptLetter
  const letter = letterOf(services.publicUrl, payment, user.name)
  await queueLetter(tx, `receipt:${payment.id}`, user.email, letter, services.clock.now())
}
