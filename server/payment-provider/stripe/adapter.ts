import { failure, success } from '#lib/result.ts'
import type { Log } from '../../http/log.ts'
import type { Clock } from '../../process/clock.ts'
import type { Random } from '../../process/random.ts'
import type { Payments } from '../port.ts'
import { createAsk, defaultRetryPolicy, eventRetryPolicy, isRefused, type RetryPolicy } from './ask.ts'
import { createCheckouts } from './checkouts.ts'
import { createStripeClient, type StripeAddress, signatureHeader } from './client.ts'
import { createEventReader } from './events.ts'
import { createKeptCards } from './kept-cards.ts'
import { type RefundMetadata, refundState, toCents } from './payment-updates.ts'
import { createRetrieve } from './retrieve.ts'

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
  return {
    provider: 'stripe',
    signatureHeader,
    ...createCheckouts(client, ask),
    ...createKeptCards(client, ask, retrieve),

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

    readEvent: createEventReader({ ...settings, client, retrieve }),
  }
}
