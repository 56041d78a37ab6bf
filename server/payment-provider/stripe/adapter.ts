import Stripe from 'stripe'
import { failure, success } from '#lib/result.ts'
import type { Log } from '../../http/log.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import type { CardRefusal, Payments } from '../port.ts'
import { createAsk, defaultRetryPolicy, eventRetryPolicy, type RetryPolicy, type StripeError } from './ask.ts'
import { checkoutSessionOf } from './checkout.ts'
import { createStripeClient, type StripeAddress, signatureHeader } from './client.ts'
import { createEventReader } from './events.ts'
import * as objects from './objects.ts'
import {
  cardRefusalOf,
  type OurMetadata,
  paidUpdate,
  paymentIdOf,
  type RefundMetadata,
  refundState,
  toCents,
} from './payment-updates.ts'
import { createRetrieve } from './retrieve.ts'

/** Max lag of Stripe's clock behind ours. */
const clockSkewSeconds = 300
/** Stripe's max per page; far more than the charges of one card in a week. */
const maxListed = 100

export interface StripeSettings {
  readonly secretKey: string
  readonly webhookSecret: string
  readonly address?: StripeAddress
  readonly retryPolicy?: RetryPolicy
}

/** Payments through Stripe: Checkout, off-session payment intents, refunds. Our ids are its idempotency keys. */
export function createStripePayments(
  settings: StripeSettings,
  tools: { readonly clock: Clock; readonly random: Random; readonly log: Log },
): Payments {
  const client = createStripeClient(settings.secretKey, settings.address)
  const ask = createAsk({ ...tools, retryPolicy: settings.retryPolicy ?? defaultRetryPolicy })
  const askForEvent = createAsk({ ...tools, retryPolicy: settings.retryPolicy ?? eventRetryPolicy })
  const retrieve = createRetrieve(client, askForEvent)
  const findSession = (checkoutRef: string) =>
    ask('retrieve checkout', options =>
      client.checkout.sessions.retrieve(checkoutRef, { expand: ['payment_intent.latest_charge'] }, options),
    )

  return {
    provider: 'stripe',
    signatureHeader,

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

    chargeKeptCard: async charge => {
      const metadata = {
        payment_id: charge.paymentId,
        user_id: charge.userId,
        kind: 'kept_card',
      } satisfies OurMetadata
      const charged = await ask<Stripe.PaymentIntent, CardRefusal | 'refused'>(
        'charge kept card',
        options =>
          client.paymentIntents.create(
            {
              amount: toCents(charge.amountMicroUsd),
              currency: 'usd',
              customer: charge.customerRef,
              payment_method: charge.methodRef,
              allowed_payment_method_types: ['card'],
              off_session: true,
              confirm: true,
              description: charge.description,
              metadata,
            },
            { ...options, idempotencyKey: charge.paymentId },
          ),
        error => {
          if (error instanceof Stripe.errors.StripeCardError) return cardRefusalOf(error)
          return isRefused(error) ? 'refused' : undefined
        },
      )
      if (charged.ok) {
        const { id, status } = charged.value
        if (status === 'succeeded' || status === 'processing') return success({ intentRef: id })
        return failure(status === 'requires_action' ? 'authentication_required' : 'declined')
      }
      if (charged.code !== 'refused') return failure(charged.code)
      // Stripe rejects a detached card without a code of its own.
      const kept = await ask(
        'retrieve kept card',
        options => client.paymentMethods.retrieve(charge.methodRef, {}, options),
        error => (isMissing(error) ? 'card_gone' : undefined),
      )
      if (!kept.ok) return failure(kept.code)
      if (kept.value.customer === charge.customerRef) throw new Error('stripe refuses to charge a kept card')
      return failure('card_gone')
    },

    refund: async order => {
      const refunded = await ask(
        'refund',
        options =>
          client.refunds.create(
            {
              payment_intent: order.intentRef,
              amount: toCents(order.amountMicroUsd),
              metadata: { refund_key: order.key } satisfies RefundMetadata,
            },
            { ...options, idempotencyKey: order.key },
          ),
        error => {
          if (!isRefused(error)) return undefined
          tools.log.warn({ code: error.code, requestId: error.requestId }, 'Stripe rejected a refund')
          return 'not_refundable'
        },
      )
      if (!refunded.ok) return refunded
      const state = refundState(refunded.value.status)
      return state === 'failed' ? failure('not_refundable') : success({ refundRef: refunded.value.id, state })
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

    lookUpCharge: async intentRef => {
      const found = await retrieve.intent(intentRef)
      if (!found.ok) {
        if (found.code === 'unreadable') throw new Error('a charge cannot be read')
        return failure(found.code)
      }
      const { intent, latestCharge } = found.value
      const paymentId = paymentIdOf(intent)
      if (paymentId === undefined) throw new Error('a charge that is not ours')
      if (intent.status === 'requires_payment_method' || intent.status === 'canceled') {
        const refusal = cardRefusalOf(intent.last_payment_error ?? {})
        return success({ kind: 'charge_failed', paymentId, intentRef, refusal })
      }
      return success(paidUpdate(paymentId, null, intent, latestCharge))
    },

    findCharge: async ({ paymentId, customerRef, since }) => {
      const created = { gte: Math.floor(since.getTime() / 1000) - clockSkewSeconds }
      const listed = await ask(
        'list payment intents',
        options => client.paymentIntents.list({ customer: customerRef, created, limit: maxListed }, options),
        error => (isMissing(error) ? 'customer_gone' : undefined),
      )
      // The customer was deleted at Stripe and its charges cannot be listed: rely on the charge's event.
      if (!listed.ok) return listed.code === 'customer_gone' ? success(null) : failure(listed.code)
      const made = listed.value.data.find(intent => paymentIdOf(intent) === paymentId)
      if (made === undefined && listed.value.has_more)
        throw new Error('a customer has too many charges to look through')
      return success(made === undefined ? null : { intentRef: made.id })
    },

    forgetCard: async ({ methodRef }) => {
      const forgotten = await ask(
        'forget card',
        options => client.paymentMethods.detach(methodRef, {}, options),
        // Already detached, or deleted with its customer.
        error => (isRefused(error) ? 'gone' : undefined),
      )
      return forgotten.ok || forgotten.code === 'gone' ? success(undefined) : failure(forgotten.code)
    },

    readEvent: createEventReader({ ...settings, client, retrieve }),
  }
}

/** Rejected for its parameters, and not because its idempotency key was used for another request. */
function isRefused(error: StripeError): boolean {
  return error instanceof Stripe.errors.StripeInvalidRequestError
}

function isMissing(error: StripeError, parameter?: string): boolean {
  return (
    isRefused(error) &&
    error.code === 'resource_missing' &&
    (parameter === undefined || error.param === parameter)
  )
}
