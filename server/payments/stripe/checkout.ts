import type Stripe from 'stripe'
import type { CheckoutOrder } from '../port.ts'
import { type OurMetadata, toCents } from './news.ts'

/** Said beside the button, where the card is to be kept. */
const consentText =
  'By paying you allow us to keep this card and to charge it while you are away, when your credit runs low. You can switch this off at any time.'

/** The Checkout Session that sells an order: the same for the same order, to the letter. */
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
    // Cards alone: no payment that is still under way when its checkout is complete, and a card to tell people by.
    allowed_payment_method_types: ['card'],
    wallet_options: { link: { display: 'never' } },
    // Credits are dollars: the amount is not to be turned into another currency.
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
