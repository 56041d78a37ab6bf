import Stripe from 'stripe'
import { failure, success } from '#lib/result.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../http/log.ts'
import type { Random } from '../../random.ts'
import type { CardRefusal, Payments } from '../port.ts'
import { createAsk, defaultPatience, eventPatience, type Patience, type StripeError } from './ask.ts'
import { checkoutSessionOf } from './checkout.ts'
import { createStripeClient, type StripeAddress, signatureHeader } from './client.ts'
import { createEventReader } from './events.ts'
import { cardRefusalOf, type OurMetadata, paidNews, paymentIdOf, refundState, toCents } from './news.ts'
import * as objects from './objects.ts'
import { createRetrieve } from './retrieve.ts'

/** How far Stripe's clock may be behind ours. */
const clockSkewSeconds = 300
/** As many as Stripe gives at once; nobody's card is charged nearly as often in a week. */
const listedAtMost = 100

export interface StripeSettings {
  readonly secretKey: string
  /** Signs the events of the webhook endpoint. */
  readonly webhookSecret: string
  /** Where the API is asked, if not at Stripe. */
  readonly address?: StripeAddress
  readonly patience?: Patience
}

/** Payments through Stripe: Checkout, off-session payment intents, refunds. Our ids are its idempotency keys. */
export function createStripePayments(
  settings: StripeSettings,
  tools: { readonly clock: Clock; readonly random: Random; readonly log: Log },
): Payments {
  const client = createStripeClient(settings.secretKey, settings.address)
  const ask = createAsk({ ...tools, patience: settings.patience ?? defaultPatience })
  const askForEvent = createAsk({ ...tools, patience: settings.patience ?? eventPatience })
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
        // Removed at Stripe's: the buyer is a new one. Another request needs another key.
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
      // Refused without a code: because it is paid or expired already, or for a reason that we do not know.
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
      // A card that was detached is refused without a code of its own.
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
            { payment_intent: order.intentRef, amount: toCents(order.amountMicroUsd) },
            { ...options, idempotencyKey: order.key },
          ),
        error => {
          if (!isRefused(error)) return undefined
          tools.log.warn({ code: error.code, requestId: error.requestId }, 'stripe does not refund this')
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
      const news = paidNews(paymentId, checkoutRef, objects.paymentIntent.parse(intent), intent.latest_charge)
      if (news === null) throw new Error('a checkout was paid otherwise than it was opened')
      return success(news)
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
      return success(paidNews(paymentId, null, intent, latestCharge))
    },

    findCharge: async ({ paymentId, customerRef, since }) => {
      const created = { gte: Math.floor(since.getTime() / 1000) - clockSkewSeconds }
      const listed = await ask(
        'list payment intents',
        options =>
          client.paymentIntents.list({ customer: customerRef, created, limit: listedAtMost }, options),
        error => (isMissing(error) ? 'customer_gone' : undefined),
      )
      // Removed at Stripe's, and its charges cannot be listed any more: what was made tells its event.
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
        // Detached before, or gone with its customer.
        error => (isRefused(error) ? 'gone' : undefined),
      )
      return forgotten.ok || forgotten.code === 'gone' ? success(undefined) : failure(forgotten.code)
    },

    readEvent: createEventReader({ ...settings, client, retrieve }),
  }
}

/** Refused for what it asked, and not because its key was used for something else. */
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
