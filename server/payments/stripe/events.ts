import Stripe from 'stripe'
import { failure, type Result, success } from '#lib/result.ts'
import type { EventRefusal, PaymentEvent, PaymentNews, ProviderTrouble } from '../port.ts'
import { isLiveKey } from './client.ts'
import {
  cardRefusalOf,
  disputeNews,
  isKeptCardCharge,
  other,
  paidNews,
  paymentIdOf,
  refundNews,
} from './news.ts'
import * as objects from './objects.ts'
import type { Retrieve } from './retrieve.ts'

/** Seconds that a signature holds, as Stripe advises. */
const toleranceSeconds = 300

type News = Result<PaymentNews, 'unreadable' | ProviderTrouble>

/**
 * Reads Stripe's events: the signature over the bytes as they came, then the few fields that we use.
 * `unreadable`, besides what has another form than Stripe promises: an event of test money for a key of real money or
 * the other way round, and one of another account.
 */
export function createEventReader(tools: {
  readonly client: Stripe
  readonly secretKey: string
  readonly webhookSecret: string
  readonly retrieve: Retrieve
}) {
  const { client, webhookSecret, retrieve } = tools
  const isLive = isLiveKey(tools.secretKey)

  const verify = (body: Uint8Array, signature: string, now: Date): Result<unknown, EventRefusal> => {
    try {
      const received = now.getTime()
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      return success(
        client.webhooks.constructEvent(
          bytes,
          signature,
          webhookSecret,
          toleranceSeconds,
          undefined,
          received,
        ),
      )
    } catch (error) {
      return failure(
        error instanceof Stripe.errors.StripeSignatureVerificationError ? 'forged' : 'unreadable',
      )
    }
  }

  return async (
    body: Uint8Array,
    signature: string,
    now: Date,
  ): Promise<Result<PaymentEvent, EventRefusal | ProviderTrouble>> => {
    const verified = verify(body, signature, now)
    if (!verified.ok) return verified
    const parsed = objects.event.safeParse(verified.value)
    if (!parsed.success) return failure('unreadable')
    const { id, type, created, livemode, account, data } = parsed.data
    if (livemode !== isLive || typeof account === 'string') return failure('unreadable')

    const read = readers[type]
    const news: News = read === undefined ? success(other) : await read(data.object, retrieve)
    return news.ok ? success({ id, createdAt: new Date(created * 1000), news: news.value }) : news
  }
}

type Reader = (object: unknown, retrieve: Retrieve) => Promise<News>

/** A reader of one kind of object; `unreadable` when it is given another. */
function reading<Value>(
  schema: { safeParse(value: unknown): { success: true; data: Value } | { success: false } },
  read: (value: Value, retrieve: Retrieve) => News | Promise<News>,
): Reader {
  return async (object, retrieve) => {
    const parsed = schema.safeParse(object)
    return parsed.success ? read(parsed.data, retrieve) : failure('unreadable')
  }
}

/** Complete is not paid: only what is paid is news. The card is not in the event. */
const completed = reading(objects.checkoutSession, async (session, retrieve) => {
  const paymentId = paymentIdOf(session)
  if (paymentId === undefined || session.payment_status !== 'paid') return success(other)
  if (session.payment_intent === null) return failure('unreadable')
  const found = await retrieve.intent(session.payment_intent)
  if (!found.ok) return found
  const news = paidNews(paymentId, session.id, found.value.intent, found.value.latestCharge)
  return news === null ? failure('unreadable') : success(news)
})

const expired = reading(objects.checkoutSession, session => {
  const paymentId = paymentIdOf(session)
  return success(
    paymentId === undefined ? other : { kind: 'checkout_expired', paymentId, checkoutRef: session.id },
  )
})

const laterPaymentFailed = reading(objects.checkoutSession, session => {
  const paymentId = paymentIdOf(session)
  if (paymentId === undefined || session.payment_intent === null) return success(other)
  const intentRef = session.payment_intent
  return success({ kind: 'charge_failed', paymentId, intentRef, refusal: 'declined' })
})

/** The charges of checkouts are told by their checkouts. */
const charged = reading(objects.paymentIntent, async (intent, retrieve) => {
  const paymentId = paymentIdOf(intent)
  if (paymentId === undefined || !isKeptCardCharge(intent)) return success(other)
  const found = await retrieve.intent(intent.id)
  if (!found.ok) return found
  const news = paidNews(paymentId, null, found.value.intent, found.value.latestCharge)
  return news === null ? failure('unreadable') : success(news)
})

const chargeFailed = reading(objects.paymentIntent, intent => {
  const paymentId = paymentIdOf(intent)
  if (paymentId === undefined) return success(other)
  const refusal = cardRefusalOf(intent.last_payment_error ?? {})
  return success({ kind: 'charge_failed', paymentId, intentRef: intent.id, refusal })
})

/** The event does not say which refund it was: the latest. */
const refunded = reading(objects.charge, async (charge, retrieve) => {
  if (charge.payment_intent === null) return success(other)
  const found = await retrieve.latestRefund(charge.id)
  if (!found.ok) return found
  return success(found.value === undefined ? other : refundNews(found.value))
})

const refundChanged = reading(objects.refund, refund => success(refundNews(refund)))

/** Banks may dispute in their own currency; then it is about the whole of the payment. */
const disputeChanged = reading(objects.dispute, async (dispute, retrieve) => {
  if (dispute.currency === 'usd' || dispute.payment_intent === null) {
    return success(disputeNews(dispute, dispute.amount))
  }
  const found = await retrieve.intent(dispute.payment_intent)
  if (!found.ok) return found
  const { intent } = found.value
  return success(intent.currency === 'usd' ? disputeNews(dispute, intent.amount_received) : other)
})

/** What the webhook endpoint is to be sent. Anything else is true, and nothing to us. */
const readers: Readonly<Record<string, Reader>> = {
  'checkout.session.completed': completed,
  'checkout.session.async_payment_succeeded': completed,
  'checkout.session.async_payment_failed': laterPaymentFailed,
  'checkout.session.expired': expired,
  'payment_intent.succeeded': charged,
  'payment_intent.payment_failed': chargeFailed,
  'charge.refunded': refunded,
  'refund.created': refundChanged,
  'refund.updated': refundChanged,
  'refund.failed': refundChanged,
  'charge.dispute.created': disputeChanged,
  'charge.dispute.updated': disputeChanged,
  'charge.dispute.closed': disputeChanged,
  'charge.dispute.funds_withdrawn': disputeChanged,
  'charge.dispute.funds_reinstated': disputeChanged,
}

/** For the operator's documentation and its test. */
export const eventTypes: readonly string[] = Object.keys(readers)
