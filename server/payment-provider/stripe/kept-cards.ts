import Stripe from 'stripe'
import { failure, success } from '#lib/result.ts'
import type { CardRejection, Payments } from '../port.ts'
import { type Ask, isMissing, isRefused } from './ask.ts'
import { cardRejectionOf, type OurMetadata, paidUpdate, paymentIdOf, toCents } from './payment-updates.ts'
import type { Retrieve } from './retrieve.ts'

/** Max lag of Stripe's clock behind ours. */
const clockSkewSeconds = 300
/** Stripe's max per page; far more than the charges of one card in a week. */
const maxListed = 100

export function createKeptCards(
  client: Stripe,
  ask: Ask,
  retrieve: Retrieve,
): Pick<Payments, 'chargeKeptCard' | 'lookUpCharge' | 'findCharge' | 'forgetCard'> {
  return {
    chargeKeptCard: async charge => {
      const metadata = {
        payment_id: charge.paymentId,
        user_id: charge.userId,
        kind: 'kept_card',
      } satisfies OurMetadata
      const charged = await ask<Stripe.PaymentIntent, CardRejection | 'refused'>(
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
          if (error instanceof Stripe.errors.StripeCardError) return cardRejectionOf(error)
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
        const rejection = cardRejectionOf(intent.last_payment_error ?? {})
        return success({ kind: 'charge_failed', paymentId, intentRef, rejection })
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
  }
}
