import Stripe from 'stripe'
import { failure, type Result, success } from '#lib/result.ts'
import type { EventRejection, PaymentEvent, PaymentUpdate, ProviderTrouble } from '../port.ts'
import { isLiveKey } from './client.ts'
import * as objects from './objects.ts'
import {
  cardRejectionOf,
  disputeUpdate,
  isKeptCardCharge,
  other,
  paidUpdate,
  paymentIdOf,
  refundUpdate,
} from './payment-updates.ts'
import type { Retrieve } from './retrieve.ts'

/** Max age of a signature, as Stripe advises. */
const toleranceSeconds = 300

type UpdateResult = Result<PaymentUpdate, 'unreadable' | ProviderTrouble>

/** `unreadable`: also test events for a live key, live events for a test key, and events of another account. */
export function createEventReader(tools: {
  readonly client: Stripe
  readonly secretKey: string
  readonly webhookSecret: string
  readonly retrieve: Retrieve
}) {
  const { client, webhookSecret, retrieve } = tools
  const isLive = isLiveKey(tools.secretKey)

  const verify = (body: Uint8Array, signature: string, now: Date): Result<unknown, EventRejection> => {
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
  ): Promise<Result<PaymentEvent, EventRejection | ProviderTrouble>> => {
    const verified = verify(body, signature, now)
    if (!verified.ok) return verified
    const parsed = objects.event.safeParse(verified.value)
    if (!parsed.success) return failure('unreadable')
    const { id, type, created, livemode, account, data } = parsed.data
    if (livemode !== isLive || typeof account === 'string') return failure('unreadable')

    const read = readers[type]
    const update: UpdateResult = read === undefined ? success(other) : await read(data.object, retrieve)
    return update.ok ? success({ id, createdAt: new Date(created * 1000), update: update.value }) : update
  }
}

type Reader = (object: unknown, retrieve: Retrieve) => Promise<UpdateResult>

function reading<Value>(
  schema: { safeParse(value: unknown): { success: true; data: Value } | { success: false } },
  read: (value: Value, retrieve: Retrieve) => UpdateResult | Promise<UpdateResult>,
): Reader {
  return async (object, retrieve) => {
    const parsed = schema.safeParse(object)
    return parsed.success ? read(parsed.data, retrieve) : failure('unreadable')
  }
}

/** A session may be complete but unpaid; only paid ones matter. The event omits the card. */
const completed = reading(objects.checkoutSession, async (session, retrieve) => {
  const paymentId = paymentIdOf(session)
  if (paymentId === undefined || session.payment_status !== 'paid') return success(other)
  if (session.payment_intent === null) return failure('unreadable')
  const found = await retrieve.intent(session.payment_intent)
  if (!found.ok) return found
  const update = paidUpdate(paymentId, session.id, found.value.intent, found.value.latestCharge)
  return update === null ? failure('unreadable') : success(update)
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
  return success({ kind: 'charge_failed', paymentId, intentRef, rejection: 'declined' })
})

/** Only charges of saved cards: those of checkouts come with their checkout's event. */
const charged = reading(objects.paymentIntent, async (intent, retrieve) => {
  const paymentId = paymentIdOf(intent)
  if (paymentId === undefined || !isKeptCardCharge(intent)) return success(other)
  const found = await retrieve.intent(intent.id)
  if (!found.ok) return found
  const update = paidUpdate(paymentId, null, found.value.intent, found.value.latestCharge)
  return update === null ? failure('unreadable') : success(update)
})

const chargeFailed = reading(objects.paymentIntent, intent => {
  const paymentId = paymentIdOf(intent)
  if (paymentId === undefined) return success(other)
  const rejection = cardRejectionOf(intent.last_payment_error ?? {})
  return success({ kind: 'charge_failed', paymentId, intentRef: intent.id, rejection })
})

/** The event does not say which refund it is about, so take the latest. */
const refunded = reading(objects.charge, async (charge, retrieve) => {
  if (charge.payment_intent === null) return success(other)
  const found = await retrieve.latestRefund(charge.id)
  if (!found.ok) return found
  return success(found.value === undefined ? other : refundUpdate(found.value))
})

const refundChanged = reading(objects.refund, refund => success(refundUpdate(refund)))

/** A bank may dispute in its own currency; then the whole payment counts as disputed. */
const disputeChanged = reading(objects.dispute, async (dispute, retrieve) => {
  if (dispute.currency === 'usd' || dispute.payment_intent === null) {
    return success(disputeUpdate(dispute, dispute.amount))
  }
  const found = await retrieve.intent(dispute.payment_intent)
  if (!found.ok) return found
  const { intent } = found.value
  return success(intent.currency === 'usd' ? disputeUpdate(dispute, intent.amount_received) : other)
})

/** A charge without an intent is not a sale of ours. */
const reportedAsFraud = reading(objects.fraudWarning, ({ id, payment_intent: intentRef }) =>
  success(intentRef == null ? other : { kind: 'fraud_warning', warningRef: id, intentRef }),
)

/** Event types that the webhook endpoint must be sent. Any other is irrelevant to us. */
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
  'radar.early_fraud_warning.created': reportedAsFraud,
}

export const eventTypes: readonly string[] = Object.keys(readers)
