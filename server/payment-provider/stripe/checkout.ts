import type Stripe from 'stripe'
import type { CheckoutOrder } from '../port.ts'
import { type OurMetadata, toCents } from './payment-updates.ts'

const consentText =
  'By paying you allow us to keep this card and to charge it while you are away, when your credit runs low. You can switch this off at any time.'

/** The Checkout Session of an order. Deterministic, because retries must be identical. */
export function checkoutSessionOf(order: CheckoutOrder): Stripe.Checkout.SessionCreateParams {
  const metadata = {
    payment_id: order.paymentId,
    user_id: order.userId,
    kind: 'checkout',
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
          custom_text: { submit: { message: consentText } },
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
