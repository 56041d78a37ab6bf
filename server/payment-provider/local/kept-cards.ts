import type { CardBehaviour } from '#lib/money/test-cards.ts'
import { failure, type Result, success } from '#lib/result.ts'
import type { Db } from '../../db/port.ts'
import type { CardRejection, KeptCard, PaymentUpdate, SavedCardCharge } from '../port.ts'
import { disputePaid, reportFraud } from './disputes.ts'
import type { ProviderUpdate } from './events.ts'
import { type IntentRow, lockIntent, paidUpdate, sourceOf } from './intents.ts'
import { publish } from './outbox.ts'
import { type LocalTools, newRef } from './tools.ts'

interface KeptCardRow {
  readonly brand: string
  readonly last4: string
  readonly fingerprint: string
  readonly behaviour: CardBehaviour
}

export async function keepCard(tools: LocalTools, tx: Db, intent: IntentRow): Promise<string> {
  const methodRef = newRef(tools.random, 'pm')
  await tx.query(
    `insert into local_kept_card (method_ref, customer_ref, brand, last4, fingerprint, behaviour)
     values ($1, $2, $3, $4, $5, $6)`,
    [methodRef, intent.customer_ref, intent.brand, intent.last4, intent.fingerprint, intent.behaviour],
  )
  return methodRef
}

export async function forgetCard(tools: LocalTools, card: KeptCard): Promise<void> {
  await tools.db.query(
    `update local_kept_card set forgotten_at = $3
     where method_ref = $1 and customer_ref = $2 and forgotten_at is null`,
    [card.methodRef, card.customerRef, tools.clock.now()],
  )
}

/** Behaviour of test cards when their owner is absent. */
const rejections: Partial<Readonly<Record<CardBehaviour, CardRejection>>> = {
  declines_later: 'declined',
  authenticates_always: 'authentication_required',
}

/** Charges a saved card. A retry for the same payment gets the first answer. */
export async function chargeKeptCard(
  tools: LocalTools,
  charge: SavedCardCharge,
): Promise<Result<{ intentRef: string }, CardRejection>> {
  return tools.db.transaction(async tx => {
    // Locked, so that a card which is being deleted cannot be charged.
    const [card] = await tx.query<KeptCardRow>(
      `select brand, last4, fingerprint, behaviour from local_kept_card
       where method_ref = $1 and customer_ref = $2 and forgotten_at is null for share`,
      [charge.methodRef, charge.customerRef],
    )
    const rejection = card === undefined ? 'card_gone' : (rejections[card.behaviour] ?? null)
    const [made] = await tx.query<{ ref: string }>(
      `insert into local_intent (ref, payment_id, customer_ref, amount, state, refusal, brand, last4, fingerprint,
         behaviour, method_ref)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
       on conflict (payment_id) do nothing returning ref`,
      [
        newRef(tools.random, 'pi'),
        charge.paymentId,
        charge.customerRef,
        charge.amountMicroUsd,
        rejection === null ? 'paid' : 'refused',
        rejection,
        card?.brand ?? null,
        card?.last4 ?? null,
        card?.fingerprint ?? null,
        card?.behaviour ?? null,
        card === undefined ? null : charge.methodRef,
      ],
    )
    const intent = await lockIntent(tx, { paymentId: charge.paymentId })
    if (intent === undefined || (intent.state !== 'paid' && intent.state !== 'refused')) {
      throw new Error('this payment was ordered otherwise before')
    }
    if (made !== undefined) await publishOutcome(tools, tx, intent)
    return intent.rejection === null ? success({ intentRef: intent.ref }) : failure(intent.rejection)
  })
}

/** The charge made for a payment; null without one. */
export async function findCharge(
  tools: LocalTools,
  paymentId: string,
): Promise<{ intentRef: string } | null> {
  const intent = await tools.db.transaction(tx => lockIntent(tx, { paymentId }))
  return intent?.state === 'paid' || intent?.state === 'refused' ? { intentRef: intent.ref } : null
}

/** @throws Error when there is no such charge */
export async function lookUpCharge(tools: LocalTools, intentRef: string): Promise<PaymentUpdate> {
  const intent = await tools.db.transaction(tx => lockIntent(tx, { ref: intentRef }))
  if (intent?.state !== 'paid' && intent?.state !== 'refused') throw new Error('there is no such charge')
  return outcomeUpdate(intent)
}

function outcomeUpdate(intent: IntentRow): ProviderUpdate {
  const { ref: intentRef, payment_id: paymentId, rejection } = intent
  return rejection === null
    ? paidUpdate(intent, null)
    : { kind: 'charge_failed', paymentId, intentRef, rejection }
}

async function publishOutcome(tools: LocalTools, tx: Db, intent: IntentRow): Promise<void> {
  await publish(tools, tx, sourceOf(intent), outcomeUpdate(intent))
  if (intent.rejection !== null) return
  if (intent.behaviour === 'disputes') await disputePaid(tools, tx, intent, intent.amount_micro_usd)
  if (intent.behaviour === 'reported') await reportFraud(tools, tx, intent)
}
