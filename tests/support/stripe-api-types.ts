import type Stripe from 'stripe'

/** Stripe's objects, as far as the fake supports them. */

export interface TestCard {
  readonly brand: string
  readonly last4: string
  readonly fingerprint: string
  readonly present: 'pays' | 'declines'
  readonly away: 'pays' | 'declines' | 'asks'
  /** State of a refund: immediate, or pending. */
  readonly refunds?: 'succeeded' | 'pending'
  /** Its bank reports each charge as fraud. */
  readonly reports?: true
}

const visa = { brand: 'visa', present: 'pays', away: 'pays' } as const

/** Some of Stripe's test cards, with the names used by the local checkout. */
export const stripeCards = {
  succeeds: { ...visa, last4: '4242', fingerprint: 'fp4242aQ8rT2' },
  declines: { ...visa, last4: '0002', fingerprint: 'fp0002bV5mK1', present: 'declines' },
  declines_later: { ...visa, last4: '0341', fingerprint: 'fp0341cX7nL9', away: 'declines' },
  authenticates_always: { ...visa, last4: '3184', fingerprint: 'fp3184dZ3pJ6', away: 'asks' },
  refunds_slowly: { ...visa, last4: '7726', fingerprint: 'fp7726eW1qH4', refunds: 'pending' },
  reported: { ...visa, last4: '5423', fingerprint: 'fp5423fR8sN2', reports: true },
} as const satisfies Readonly<Record<string, TestCard>>

export type Session = Pick<
  Stripe.Checkout.Session,
  | 'id'
  | 'object'
  | 'url'
  | 'status'
  | 'payment_status'
  | 'client_reference_id'
  | 'expires_at'
  | 'livemode'
  | 'mode'
> & {
  amount_total: number
  currency: 'usd'
  customer: string | null
  payment_intent: string | null
  metadata: Record<string, string>
}
export type Intent = Pick<
  Stripe.PaymentIntent,
  | 'id'
  | 'object'
  | 'created'
  | 'amount'
  | 'amount_received'
  | 'currency'
  | 'livemode'
  | 'status'
  | 'setup_future_usage'
> & {
  customer: string | null
  payment_method: string | null
  latest_charge: string | null
  last_payment_error: { type: 'card_error'; code: string; decline_code: string } | null
  metadata: Record<string, string>
}
export interface Charge {
  id: string
  object: 'charge'
  amount: number
  amount_refunded: number
  currency: 'usd'
  disputed: boolean
  livemode: boolean
  payment_intent: string
  payment_method: string
  payment_method_details: { type: 'card'; card: Pick<TestCard, 'brand' | 'last4' | 'fingerprint'> }
  metadata: Record<string, string>
}
export type Refund = Pick<Stripe.Refund, 'id' | 'object' | 'amount' | 'created' | 'currency' | 'status'> & {
  charge: string
  payment_intent: string
  metadata: Record<string, string>
}
export type Dispute = Pick<
  Stripe.Dispute,
  'id' | 'object' | 'amount' | 'currency' | 'livemode' | 'status'
> & {
  charge: string
  payment_intent: string
}
export type FraudWarning = Pick<
  Stripe.Radar.EarlyFraudWarning,
  'id' | 'object' | 'actionable' | 'created' | 'fraud_type' | 'livemode'
> & {
  charge: string
  payment_intent: string
}
export interface Method {
  id: string
  object: 'payment_method'
  type: 'card'
  customer: string | null
}
