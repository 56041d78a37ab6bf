import type { Card, CardRefusal, PaymentNews } from '../port.ts'
import { chargedCard, type Dispute, type PaymentIntent, type Refund } from './objects.ts'

/** Metadata that we put on what we make at Stripe, and find again in its events. */
export interface OurMetadata {
  readonly payment_id: string
  readonly user_id: string
  readonly kind: 'checkout' | 'kept_card'
}

export const other: PaymentNews = { kind: 'other' }

const microUsdPerCent = 10_000

/** @throws RangeError for what is no whole number of cents */
export function toCents(microUsd: number): number {
  const cents = microUsd / microUsdPerCent
  if (!Number.isSafeInteger(cents) || cents <= 0) throw new RangeError('not a whole number of cents')
  return cents
}

const toMicroUsd = (cents: number) => cents * microUsdPerCent

/** Our id of the payment that an object belongs to; undefined for what others made on the same account. */
export function paymentIdOf(object: {
  readonly metadata?: Readonly<Record<string, string>> | null | undefined
}): string | undefined {
  return object.metadata?.['payment_id']
}

/** Whether this is a charge of a card that was kept, rather than one of a checkout. */
export function isKeptCardCharge(intent: PaymentIntent): boolean {
  return intent.metadata?.['kind'] === ('kept_card' satisfies OurMetadata['kind'])
}

/**
 * @param latestCharge the intent's charge, as an object
 * @returns null for what no payment of ours is: all that we sell is sold in US dollars
 */
export function paidNews(
  paymentId: string,
  checkoutRef: string | null,
  intent: PaymentIntent,
  latestCharge: unknown,
): PaymentNews | null {
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
  // Without a fingerprint a card is like no other.
  return { brand, last4, fingerprint: fingerprint ?? intent.payment_method ?? intent.id }
}

/** Why a card was refused, from the codes of Stripe's error. */
export function cardRefusalOf(error: {
  readonly code?: string | null | undefined
  readonly decline_code?: string | null | undefined
}): CardRefusal {
  return error.code === 'authentication_required' || error.decline_code === 'authentication_required'
    ? 'authentication_required'
    : 'declined'
}

export function refundState(status: string | null): 'pending' | 'succeeded' | 'failed' {
  if (status === 'succeeded') return 'succeeded'
  return status === 'failed' || status === 'canceled' ? 'failed' : 'pending'
}

export function refundNews(refund: Refund): PaymentNews {
  if (refund.payment_intent === null || refund.currency !== 'usd') return other
  return {
    kind: 'refund',
    refundRef: refund.id,
    intentRef: refund.payment_intent,
    amountMicroUsd: toMicroUsd(refund.amount),
    state: refundState(refund.status),
  }
}

/**
 * An inquiry (`warning_…`) and a dispute that was prevented take no money. An appeal follows a dispute that was lost,
 * and the money stays away until it is won.
 */
const disputeStates: Readonly<Record<string, 'open' | 'won' | 'lost'>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
  appeal_needs_response: 'lost',
  appeal_under_review: 'lost',
}

/** @param disputedCents US cents */
export function disputeNews(dispute: Dispute, disputedCents: number): PaymentNews {
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
