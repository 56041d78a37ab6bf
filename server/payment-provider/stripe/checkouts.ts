import type Stripe from 'stripe'
import { failure, success } from '#lib/result.ts'
import type { CheckoutOrder, Payments } from '../port.ts'
import { type Ask, isMissing, isRefused } from './ask.ts'
import * as objects from './objects.ts'
import { type OurMetadata, paidUpdate, paymentIdOf, toCents } from './payment-updates.ts'

export function createCheckouts(
  client: Stripe,
  ask: Ask,
): Pick<Payments, 'openCheckout' | 'closeCheckout' | 'lookUp'> {
  const findSession = (checkoutRef: string) =>
    ask('retrieve checkout', options =>
      client.checkout.sessions.retrieve(checkoutRef, { expand: ['payment_intent.latest_charge'] }, options),
    )

  return {
    openCheckout: async order => {
      const open = (of: typeof order, idempotencyKey: string) =>
        ask(
          'open checkout',
          options => client.checkout.sessions.create(checkoutSessionOf(of), { ...options, idempotencyKey }),
          error => (isMissing(error, 'customer') ? 'customer_gone' : undefined),
        )
      let opened = await open(order, order.paymentId)
      if (!opened.ok && opened.code === 'customer_gone') {
        // The customer was deleted at Stripe, so order as a new one. Another request needs another key.
        opened = await open({ ...order, customerRef: null }, `${order.paymentId}:new-customer`)
      }
      if (!opened.ok) return failure('provider_unavailable')
      const { id, url } = opened.value
      if (url === null) throw new Error('a checkout without an address')
      return success({ checkoutRef: id, url })
    },

    closeCheckout: async checkoutRef => {
      const closed = await ask(
        'close checkout',
        options => client.checkout.sessions.expire(checkoutRef, {}, options),
        error => (isRefused(error) ? 'not_open' : undefined),
      )
      if (closed.ok) return success(undefined)
      if (closed.code === 'provider_unavailable') return failure(closed.code)
      // Rejected without a code: already paid or expired, or for an unknown reason.
      const session = await findSession(checkoutRef)
      if (!session.ok) return session
      if (session.value.status === 'open') throw new Error('stripe keeps a checkout open')
      return success(undefined)
    },

    lookUp: async checkoutRef => {
      const found = await findSession(checkoutRef)
      if (!found.ok) return found
      const session = objects.checkoutSession.parse(found.value)
      const paymentId = paymentIdOf(session)
      if (paymentId === undefined) throw new Error('a checkout that is not ours')
      if (session.status === 'expired') return success({ kind: 'checkout_expired', paymentId, checkoutRef })
      const intent = found.value.payment_intent
      if (session.payment_status !== 'paid' || intent === null || typeof intent === 'string') {
        return success(null)
      }
      const knownUpdate = paidUpdate(
        paymentId,
        checkoutRef,
        objects.paymentIntent.parse(intent),
        intent.latest_charge,
      )
      if (knownUpdate === null) throw new Error('a checkout was paid otherwise than it was opened')
      return success(knownUpdate)
    },
  }
}

/** The Checkout Session of an order. Deterministic, because retries must be identical. */
function checkoutSessionOf(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    payment_id: order.paymentId,
    user_id: order.userId,
    kind: order.purpose === 'gift' ? 'gift' : 'checkout',
  } satisfies OurMetadata
  return {
    mode: 'payment',
    client_reference_id: order.paymentId,
    metadata,
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: 'usd',
          unit_amount: toCents(order.amountMicroUsd),
          product_data: { name: order.description },
        },
      },
    ],
    // Cards only: the payment is final when the checkout completes, and a card identifies repeat payers.
    allowed_payment_method_types: ['card'],
    ...(order.authenticate
      ? { payment_method_options: { card: { request_three_d_secure: 'any' as const } } }
      : {}),
    wallet_options: { link: { display: 'never' } },
    // Credits are US dollars, so the amount must not be converted.
    adaptive_pricing: { enabled: false },
    payment_intent_data: {
      description: order.description,
      metadata: order.savesCard ? { ...metadata, card_kept_by_consent: 'yes' } : metadata,
      ...(order.savesCard ? { setup_future_usage: 'off_session' } : {}),
    },
    ...(order.savesCard
      ? {
          consent_collection: { payment_method_reuse_agreement: { position: 'auto' } },
          custom_text: { submit: { message: order.consentText } },
        }
      : {}),
    ...(order.customerRef === null
      ? { customer_email: order.email, customer_creation: order.savesCard ? 'always' : 'if_required' }
      : { customer: order.customerRef }),
    success_url: order.successUrl,
    cancel_url: order.cancelUrl,
    expires_at: Math.floor(order.expiresAt.getTime() / 1000),
  }
}
