// @vocabulary amount: in USD on the wire.
import { microUsdToUsd, usdToMicroUsd } from '#lib/money/money.ts'
import { refundableUntil, unusedPart } from '#lib/money/refunds.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { hourMs } from '#lib/time.ts'
import type { Services } from '../../context.ts'
import type { Db } from '../../db/port.ts'
import { announceBalance } from '../../realtime/announce-balance.ts'
import { scheduleReward } from '../../referrals/referrals.ts'
import { applyPaymentUpdate } from '../receive.ts'
import { type LockedPayment, lockPayment } from '../rows.ts'
import { refundableOf, settleClawback } from './clawback.ts'
import { checkRefundBudget, reserveRefund, returnRefund, withinRefundBudget } from './refund-budget.ts'
import { mailOutcome } from './refund-mail.ts'
import {
  type AskedRefund,
  askedColumns,
  findRefundByKey,
  refundGraceMs,
  writeRefundDown,
} from './refund-rows.ts'

export type RefundRejection =
  | 'already_asked'
  | 'too_late'
  | 'disputed'
  /** Not released yet, all of it or a part. */
  | 'under_review'
  /** Beyond the budget of refunds that nobody decides about. */
  | 'refund_limit'
  | 'call_in_progress'
  | 'nothing_unused'
  | 'gift_redeemed'

/** The refund offered: what returns to the card and what leaves the balance. Micro-dollars. */
interface Offer {
  readonly amountMicroUsd: number
  readonly fromBalance: number
  /** Null for a booklet, which can be refunded until it is redeemed. */
  readonly until: Date | null
}

/** What a refund of this user's payment would be. Unpaid payments and those of other users count as not found. */
export async function offerRefund(
  services: Services,
  userId: string,
  paymentId: string,
): Promise<
  Result<
    { amount: number; credits: number; gift: boolean; until: string | null },
    RefundRejection | 'unknown_payment'
  >
> {
  return withinRefundBudget<
    { amount: number; credits: number; gift: boolean; until: string | null },
    RefundRejection | 'unknown_payment'
  >(
    services,
    paymentId,
    () =>
      services.db.transaction(async tx => {
        const locked = await lockOwn(tx, userId, paymentId)
        if (locked === undefined) return failure('unknown_payment')
        const offer = await offerNow(tx, services, locked)
        if (!offer.ok) return offer
        const { amountMicroUsd, fromBalance, until } = offer.value
        return success({
          amount: microUsdToUsd(amountMicroUsd),
          credits: microUsdToUsd(fromBalance),
          gift: locked.payment.kind === 'gift',
          until: until?.toISOString() ?? null,
        })
      }),
    { looksOnly: true },
  )
}

/**
 * Refunds the unused part of a payment. The credits leave the balance in the transaction that saves the refund, so they
 * cannot be used in the meantime. A repeated request returns the first refund's state. If the provider does not answer,
 * `repeatRefunds` retries.
 * @param amountUsd the amount shown to the user
 */
export async function requestRefund(
  services: Services,
  userId: string,
  paymentId: string,
  amountUsd: number,
): Promise<
  Result<
    { state: 'pending' | 'succeeded'; amount: number },
    RefundRejection | 'unknown_payment' | 'amount_changed' | 'refund_refused'
  >
> {
  const written = await withinRefundBudget<
    { refund: AskedRefund; fresh: boolean },
    RefundRejection | 'unknown_payment' | 'amount_changed'
  >(services, paymentId, () =>
    services.db.transaction(async tx => {
      const locked = await lockOwn(tx, userId, paymentId)
      if (locked === undefined) return failure('unknown_payment')
      const known = await findAsked(tx, paymentId)
      if (known !== undefined) return success({ refund: known, fresh: false })
      const offer = await offerNow(tx, services, locked)
      if (!offer.ok) return offer
      const { amountMicroUsd } = offer.value
      if (amountMicroUsd !== usdToMicroUsd(amountUsd)) return failure('amount_changed')
      const refund = await writeRefundDown(tx, locked, {
        key: services.random.uuid(),
        amountMicroUsd,
        at: services.clock.now(),
        requestedBy: 'user',
      })
      await reserveRefund(tx, services, locked, amountMicroUsd)
      return success({ refund, fresh: true })
    }),
  )
  if (!written.ok) return written
  const { refund, fresh } = written.value
  if (fresh) await askForRefund(services, refund)
  const after = await findRefundByKey(services.db, refund.key)
  if (after === undefined) throw new Error('a refund that was written down is gone')
  if (after.state === 'failed') return failure('refund_refused')
  return success({ state: after.state, amount: microUsdToUsd(after.amount_micro_usd) })
}

async function lockOwn(tx: Db, userId: string, paymentId: string): Promise<LockedPayment | undefined> {
  const owned = await tx.query(`select id from payment where id = $1 and user_id = $2 and state = 'paid'`, [
    paymentId,
    userId,
  ])
  return owned.length === 1 ? lockPayment(tx, paymentId) : undefined
}

async function findAsked(tx: Db, paymentId: string): Promise<AskedRefund | undefined> {
  const [known] = await tx.query<AskedRefund>(
    `select ${askedColumns} from refund where payment_id = $1 and requested_by = 'user' and state <> 'failed'`,
    [paymentId],
  )
  return known
}

/** @throws BudgetIsSpent when an operator must decide */
async function offerNow(
  tx: Db,
  services: Services,
  locked: LockedPayment,
): Promise<Result<Offer, RefundRejection>> {
  const { user, payment } = locked
  if (payment.paid_at === null) throw new Error('a payment that was not paid has no refund')
  if ((await findAsked(tx, payment.id)) !== undefined) return failure('already_asked')
  const isGift = payment.kind === 'gift'
  const until = isGift ? null : refundableUntil(payment.paid_at)
  if (until !== null && services.clock.now() > until) return failure('too_late')
  const [stands] = await tx.query<{ disputed: boolean; calling: boolean }>(
    `select exists (select 1 from dispute where payment_id = $1 and state <> 'won') as disputed,
       exists (select 1 from call where user_id = $2 and state <> 'ended') as calling`,
    [payment.id, user.id],
  )
  if (stands?.disputed === true) return failure('disputed')
  if (payment.held > 0 && payment.released_at === null) return failure('under_review')
  // A live call's limit was set from the balance.
  if (stands?.calling === true && !isGift) return failure('call_in_progress')
  const unused = unusedPart(await refundableOf(tx, { user, payment }))
  if (unused.amountMicroUsd === 0) return failure(isGift ? 'gift_redeemed' : 'nothing_unused')
  await checkRefundBudget(tx, services, locked, unused.amountMicroUsd)
  return success({ ...unused, until })
}

/** Requests the refund and applies the answer like an event. @returns whether the provider answered */
export async function askForRefund(services: Services, refund: AskedRefund): Promise<boolean> {
  const { key, intent_ref: intentRef, amount_micro_usd: amountMicroUsd } = refund
  const answer = await services.payments.refund({ intentRef, amountMicroUsd, key })
  if (answer.ok) {
    await applyPaymentUpdate(services, { kind: 'refund', intentRef, amountMicroUsd, key, ...answer.value })
    return true
  }
  if (answer.code === 'provider_unavailable') {
    services.log.warn(
      { paymentId: refund.payment_id },
      'the provider did not answer a refund: it will be repeated',
    )
    // The credits have left the balance anyway.
    await announce(services, refund.payment_id)
    return false
  }
  await giveUp(services, refund)
  return true
}

/** After the provider's rejection: the credits return to the balance. */
async function giveUp(services: Services, refund: AskedRefund): Promise<void> {
  const { ref, key, payment_id } = refund
  services.log.error({ paymentId: payment_id }, 'the provider rejected a refund')
  await services.db.transaction(async tx => {
    const locked = await lockPayment(tx, payment_id)
    if (locked === undefined) throw new Error('the payment of a refund is missing')
    const at = services.clock.now()
    const failed = await tx.query<{ requested_by: string }>(
      `update refund set state = 'failed', changed_at = $2 where ref = $1 and state = 'pending' returning requested_by`,
      [ref, at],
    )
    if (failed.length === 0) return
    await settleClawback(tx, locked, `refund:${ref}:failed`, at, key)
    await scheduleReward(tx, locked.payment, at)
    await mailOutcome(tx, services, locked, ref)
    if (failed[0]?.requested_by === 'user') await returnRefund(tx, services, locked, refund.amount_micro_usd)
  })
  await announce(services, payment_id)
}

async function announce(services: Services, paymentId: string): Promise<void> {
  const [owner] = await services.db.query<{ user_id: string }>('select user_id from payment where id = $1', [
    paymentId,
  ])
  if (owner === undefined) return
  await announceBalance(services, owner.user_id).catch(error =>
    services.log.warn({ err: error }, 'could not publish a new balance'),
  )
}

/** Providers forget an idempotency key after a day; a later retry might refund twice. */
const repeatableMs = 20 * hourMs
const batch = 20

/** Retries unanswered refunds under the same key. @returns how many the provider answered now */
export async function repeatRefunds(services: Services): Promise<number> {
  const { db, clock, payments, log } = services
  const now = clock.now().getTime()
  const due = await db.query<AskedRefund>(
    `update refund set asked_at = $1 where key in (
       select key from refund join payment on payment.id = payment_id
       where key is not null and refund.state = 'pending' and ref = 'asked:' || key and provider = $2
         and asked_at <= $3 and refund.created_at > $4
       order by asked_at limit ${batch} for update of refund skip locked)
     returning ${askedColumns}`,
    [new Date(now), payments.provider, new Date(now - refundGraceMs), new Date(now - repeatableMs)],
  )
  let answered = 0
  for (const refund of due) {
    try {
      if (await askForRefund(services, refund)) answered += 1
    } catch (error) {
      log.error({ err: error, paymentId: refund.payment_id }, 'repeating a refund failed')
    }
  }
  return answered
}
