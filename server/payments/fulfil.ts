import type { Services } from '../context.ts'
import type { Db } from '../db/port.ts'
import type { UserRow } from '../identity/users.ts'
import { post } from '../ledger/ledger.ts'
import { queueEmailTo } from '../mail/queue-email.ts'
import type { KeptCard, PaymentUpdate } from '../payment-provider/port.ts'
import { attributePayment, scheduleReward } from '../referrals/referrals.ts'
import { lockLiveCalls, raiseLimits } from '../spending/duration-limits.ts'
import { Contradiction } from './contradiction.ts'
import { autoTopUpReceipt } from './emails/auto-top-up-emails.ts'
import { receiptEmail } from './emails/receipt-email.ts'
import { settleFraudWarnings } from './fraud-warning.ts'
import { giftReceiptEmail } from './gifts/gift-emails.ts'
import { readGift } from './gifts/gift-rows.ts'
import { issueGift } from './gifts/issue-gift.ts'
import { refundRest } from './refunds/refund-rest.ts'
import { settleWaitingClaims } from './refunds/refunds.ts'
import { noteCardPayer, type Review, reviewOf } from './review.ts'
import { type LockedPayment, type PaymentRow, paymentColumns } from './rows.ts'

export type PaidUpdate = Extract<PaymentUpdate, { kind: 'paid' }>

/**
 * Books a paid payment once: credits, receipt, saved card, and refunds or disputes reported earlier. A payment that had
 * expired or failed is booked all the same.
 * @returns a previously saved card that was replaced
 * @throws Contradiction when the amount paid is not the amount ordered, or when it was paid twice
 */
export async function fulfil(
  tx: Db,
  services: Services,
  locked: LockedPayment,
  update: PaidUpdate,
): Promise<KeptCard | undefined> {
  const { user, payment } = locked
  if (update.amountMicroUsd !== payment.amount_micro_usd) {
    throw new Contradiction(
      `payment ${payment.id} of ${payment.amount_micro_usd} was paid with ${update.amountMicroUsd}`,
    )
  }
  if (payment.state === 'paid') {
    if (payment.intent_ref !== update.intentRef)
      throw new Contradiction(`payment ${payment.id} was paid twice`)
    return undefined
  }
  const at = services.clock.now()
  await lockLiveCalls(tx, user.id)
  const fingerprint = update.card?.fingerprint ?? null
  const review = await reviewOf(
    tx,
    services,
    { userId: user.id, kind: payment.kind, amountMicroUsd: payment.amount_micro_usd, fingerprint },
    at,
  )
  const { held } = review
  const paid = await markPaid(tx, payment, update, review, at)
  if (fingerprint !== null) await noteCardPayer(tx, fingerprint, user.id, at)
  if (held > 0)
    services.log.warn({ paymentId: paid.id, heldFor: review.heldFor }, 'a payment waits for a review')
  if (paid.kind === 'gift') {
    await fulfilGift(tx, services, { user, payment: paid })
    return undefined
  }
  const transfer = { credit: user.account_id, paymentId: paid.id, at } as const
  const atOnce = paid.amount_micro_usd - held
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
  const replaced = await keepCard(tx, paid, update, at)
  await forgetTopUpTroubles(tx, user.id)
  await queueReceipt(tx, services, user, paid)
  await settleWaitingClaims(tx, services, { user, payment: paid }, at)
  await settleFraudWarnings(tx, services, { user, payment: paid })
  await attributePayment(tx, paid.id, at)
  await scheduleReward(tx, paid, at)
  await raiseLimits(tx, services, user.id)
  return replaced
}

/** The credits wait in `gifts`, never on the buyer's balance. Earns no referral reward, and saves no card. */
async function fulfilGift(tx: Db, services: Services, locked: LockedPayment): Promise<void> {
  const { user, payment } = locked
  const at = services.clock.now()
  const isHeld = payment.held > 0
  await post(tx, {
    key: `${isHeld ? 'held' : 'gift'}:${payment.id}`,
    debit: 'payments',
    credit: isHeld ? 'unreleased' : 'gifts',
    amountMicroUsd: payment.amount_micro_usd,
    paymentId: payment.id,
    at,
  })
  await settleWaitingClaims(tx, services, locked, at)
  await settleFraudWarnings(tx, services, locked)
  if (user.deleted_at !== null) {
    // The deletion erased our copy of the code, so nobody could ever redeem it (ADR-65).
    if ((await refundRest(tx, services, locked)) > 0)
      services.log.warn(
        { paymentId: payment.id },
        'a booklet was paid after its buyer had left and is refunded',
      )
    return
  }
  const gift = await readGift(tx, payment.id)
  const template = () => giftReceiptEmail(services.publicUrl, payment, gift, user.name)
  await queueEmailTo(tx, `receipt:${payment.id}`, user, template, at)
  if (!isHeld) await issueGift(tx, services, locked)
}

async function markPaid(
  tx: Db,
  payment: PaymentRow,
  { intentRef, checkoutRef, card }: PaidUpdate,
  { held, heldFor }: Review,
  at: Date,
): Promise<PaymentRow> {
  const [row] = await tx.query<PaymentRow>(
    `update payment set state = 'paid', paid_at = $2, receipt = nextval('receipt_number'), intent_ref = $3,
       checkout_ref = coalesce(checkout_ref, $4), held = $5, failure = null, card_brand = $6, card_last4 = $7,
       card_fingerprint = $8, held_for = $9
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
      heldFor,
    ],
  )
  if (row === undefined) throw new Error('the locked payment is gone')
  return row
}

/** Saves the card if its owner agreed before paying; it replaces an earlier one. */
async function keepCard(
  tx: Db,
  payment: PaymentRow,
  { card, kept }: PaidUpdate,
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

async function forgetTopUpTroubles(tx: Db, userId: string): Promise<void> {
  await tx.query(
    `update app_user set auto_topup_failures = 0, auto_topup_trouble = null
     where id = $1 and (auto_topup_failures > 0 or auto_topup_trouble is not null)`,
    [userId],
  )
}

async function queueReceipt(tx: Db, services: Services, user: UserRow, payment: PaymentRow): Promise<void> {
  const templateOf = payment.kind === 'auto_topup' ? autoTopUpReceipt : receiptEmail
  const template = () => templateOf(services.publicUrl, payment, user.name)
  await queueEmailTo(tx, `receipt:${payment.id}`, user, template, services.clock.now())
}
