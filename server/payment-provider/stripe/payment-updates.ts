import { validate as isUuid } from 'uuid'
import type { Card, CardRejection, PaymentUpdate } from '../port.ts'
import { chargedCard, type Dispute, type PaymentIntent, type Refund } from './objects.ts'

/** Metadata that we attach to Stripe's objects and read back from its events. */
export interface OurMetadata {
  readonly payment_id: string
  readonly user_id: string
  readonly kind: 'checkout' | 'gift' | 'kept_card'
}

export interface RefundMetadata {
  readonly refund_key: string
}

export const other: PaymentUpdate = { kind: 'other' }

const microUsdPerCent = 10_000

/** @throws RangeError if not a whole positive number of cents */
export function toCents(microUsd: number): number {
  const cents = microUsd / microUsdPerCent
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError('not a whole number of cents')
  return cents
}

const toMicroUsd = (cents: number) => cents * microUsdPerCent

/** Our payment id of an object; undefined for objects that others created on the same account. */
export function paymentIdOf(object: {
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
}): string | undefined {
  return object.metadata?.['payment_id']
}

export function isKeptCardCharge(intent: PaymentIntent): boolean {
  return intent.metadata?.['kind'] === ('kept_card' satisfies OurMetadata['kind'])
}

/** @param latestCharge expanded @returns null if it is not a payment of ours: we sell only in US dollars */
export function paidUpdate(
  paymentId: string,
  checkoutRef: string | null,
  intent: PaymentIntent,
  latestCharge: unknown,
): PaymentUpdate | null {
  if (intent.status !== 'succeeded' || intent.currency !== 'usd') return null
  const { customer, payment_method: methodRef } = intent
  const isKept = intent.setup_future_usage === 'off_session' && customer !== null && methodRef !== null
  return {
    kind: 'paid',
    paymentId,
    checkoutRef,
    intentRef: intent.id,
    amountMicroUsd: toMicroUsd(intent.amount_received),
    card: cardOf(latestCharge, intent),
    kept: isKept ? { customerRef: customer, methodRef } : null,
  }
}

function cardOf(latestCharge: unknown, intent: PaymentIntent): Card | null {
  const charged = chargedCard.safeParse(latestCharge)
  if (!charged.success) return null
  const { brand, last4, fingerprint } = charged.data.payment_method_details.card
  // Without a fingerprint, treat the card as unique.
  return { brand, last4, fingerprint: fingerprint ?? intent.payment_method ?? intent.id }
}

export function cardRejectionOf(error: {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
}): CardRejection {
  return error.code === 'authentication_required' || error.decline_code === 'authentication_required'
    ? 'authentication_required'
    : 'declined'
}

export function refundState(status: string | null): 'pending' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

/** Our keys are UUIDs; refunds made in Stripe's dashboard may have any metadata. */
function keyOf({ metadata }: Refund): string | null {
  const key = metadata?.['refund_key' satisfies keyof RefundMetadata] ?? ''
  return isUuid(key) ? key : null
}

export function refundUpdate(refund: Refund): PaymentUpdate {
  if (refund.payment_intent === null) return other
  if (refund.currency !== 'usd') return { kind: 'foreign_currency', intentRef: refund.payment_intent }
  return {
    kind: 'refund',
    refundRef: refund.id,
    key: keyOf(refund),
    intentRef: refund.payment_intent,
    amountMicroUsd: toMicroUsd(refund.amount),
    state: refundState(refund.status),
  }
}

/** Inquiries (`warning_…`) and prevented disputes move no money. An appeal may follow a lost dispute and still win it. */
const disputeStates: Readonly<Record<string, 'open' | 'won' | 'lost'>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
}

export function disputeUpdate(dispute: Dispute, disputedCents: number): PaymentUpdate {
  const state = disputeStates[dispute.status]
  if (state === undefined || dispute.payment_intent === null) return other
  return {
    kind: 'dispute',
    disputeRef: dispute.id,
    intentRef: dispute.payment_intent,
    amountMicroUsd: toMicroUsd(disputedCents),
    state,
  }
}
