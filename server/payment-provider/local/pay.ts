import type { CheckoutView, Delivery } from '#lib/api/local-checkout.ts'
import { cardBrand, codeFault, expiryFault, numberFault } from '#lib/money/payment-card.ts'
import { type CardBehaviour, testCardBehaviour } from '#lib/money/test-cards.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../../db/port.ts'
import type { CardRejection } from '../port.ts'
import { type CheckoutRow, describeCheckout, lockCheckout } from './checkouts.ts'
import { disputePaid, reportFraud } from './disputes.ts'
import { type IntentRow, paidUpdate, sourceOf } from './intents.ts'
import { keepCard } from './kept-cards.ts'
import { publish } from './outbox.ts'
import { cardFingerprint, type LocalTools } from './tools.ts'

/** A card as typed, digits only. The number never leaves this file. */
export interface TypedCard {
  readonly number: string
  readonly expiry: string
  readonly code: string
}

export type PayRejection =
  | 'not_found'
  | 'checkout_expired'
  | 'invalid_card'
  | 'not_a_test_card'
  | 'declined'
  | 'no_funds'

type Outcome = 'paid' | 'ask' | 'declined' | 'no_funds'

/** Behaviour of test cards when their owner is present. */
const outcomes: Readonly<Record<CardBehaviour, Outcome>> = {
  succeeds: 'paid',
  declines: 'declined',
  no_funds: 'no_funds',
  authenticates: 'ask',
  authenticates_always: 'ask',
  declines_later: 'paid',
  disputes: 'paid',
  reported: 'paid',
  refunds_slowly: 'paid',
  refunds_fail: 'paid',
}

/** Pays a checkout. If it is already paid, nothing more is charged. */
export async function payCheckout(
  tools: LocalTools,
  ref: string,
  card: TypedCard,
  delivery: Delivery,
): Promise<Result<CheckoutView, PayRejection>> {
  const { number, expiry, code } = card
  const brand = cardBrand(number)
  const faults = [numberFault(number), expiryFault(expiry, tools.clock.now()), codeFault(code, brand)]
  if (faults.some(fault => fault !== null)) return failure('invalid_card')
  const behaviour = testCardBehaviour(number)
  if (behaviour === undefined) return failure('not_a_test_card')

  return tools.db.transaction(async tx => {
    const row = await lockCheckout(tools, tx, ref)
    if (row === undefined) return failure('not_found')
    if (row.state === 'paid') return success(await describeCheckout(tx, row))
    if (row.state === 'expired') return failure('checkout_expired')
    const tried = await noteAttempt(tx, row, {
      brand,
      last4: number.slice(-4),
      fingerprint: cardFingerprint(tools.secret, number),
      behaviour,
      delivery,
    })
    const outcome = outcomes[behaviour]
    if (outcome === 'paid') return success(await settle(tools, tx, tried))
    if (outcome === 'ask') {
      await tx.query(`update local_intent set state = 'authenticating' where ref = $1`, [row.ref])
      return success(await describeCheckout(tx, { ...tried, state: 'authenticating' }))
    }
    await reopen(tools, tx, tried, 'declined')
    return failure(outcome)
  })
}

export type AuthenticationRejection = 'not_found' | 'checkout_expired' | 'not_asked' | 'not_approved'

/** Applies the owner's answer to the bank. After a rejection another card may be used. */
export async function authenticateCheckout(
  tools: LocalTools,
  ref: string,
  approved: boolean,
): Promise<Result<CheckoutView, AuthenticationRejection>> {
  return tools.db.transaction(async tx => {
    const row = await lockCheckout(tools, tx, ref)
    if (row === undefined) return failure('not_found')
    if (row.state === 'paid') return success(await describeCheckout(tx, row))
    if (row.state === 'expired') return failure('checkout_expired')
    if (row.state !== 'authenticating') return failure('not_asked')
    if (approved) return success(await settle(tools, tx, row))
    await reopen(tools, tx, row, 'authentication_required')
    return failure('not_approved')
  })
}

type Attempt = Pick<IntentRow, 'brand' | 'last4' | 'fingerprint' | 'behaviour' | 'delivery'>

async function noteAttempt(tx: Db, row: CheckoutRow, attempt: Attempt): Promise<CheckoutRow> {
  await tx.query(
    `update local_intent set brand = $2, last4 = $3, fingerprint = $4, behaviour = $5, delivery = $6
     where ref = $1`,
    [row.ref, attempt.brand, attempt.last4, attempt.fingerprint, attempt.behaviour, attempt.delivery],
  )
  return { ...row, ...attempt }
}

async function reopen(tools: LocalTools, tx: Db, row: CheckoutRow, rejection: CardRejection): Promise<void> {
  await tx.query(`update local_intent set state = 'open' where ref = $1`, [row.ref])
  await publish(tools, tx, sourceOf(row), {
    kind: 'charge_failed',
    paymentId: row.payment_id,
    intentRef: row.ref,
    rejection,
  })
}

async function settle(tools: LocalTools, tx: Db, row: CheckoutRow): Promise<CheckoutView> {
  const methodRef = row.saves_card ? await keepCard(tools, tx, row) : null
  await tx.query(`update local_intent set state = 'paid', method_ref = $2 where ref = $1`, [
    row.ref,
    methodRef,
  ])
  const paid: CheckoutRow = { ...row, state: 'paid', method_ref: methodRef }
  await publish(tools, tx, sourceOf(paid), paidUpdate(paid, paid.checkout_ref))
  if (paid.behaviour === 'disputes') await disputePaid(tools, tx, paid, paid.amount_micro_usd)
  if (paid.behaviour === 'reported') await reportFraud(tools, tx, paid)
  return describeCheckout(tx, paid)
}
