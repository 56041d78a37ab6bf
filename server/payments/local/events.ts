import * as z from 'zod/mini'
import { failure, type Result, success } from '#lib/result.ts'
import type { EventRefusal, PaymentEvent, PaymentNews } from '../port.ts'

/** The events of the local checkout as they travel: JSON of its own. Fields that it does not know, a reader skips. */

const microUsd = z.int().check(z.positive())
const kept = z.nullable(z.object({ customerRef: z.string(), methodRef: z.string() }))
const card = z.nullable(z.object({ brand: z.string(), last4: z.string(), fingerprint: z.string() }))

const paid = z.object({
  paymentId: z.uuid(),
  checkoutRef: z.nullable(z.string()),
  intentRef: z.string(),
  amountMicroUsd: microUsd,
  card,
  kept,
})
const checkoutExpired = z.object({ paymentId: z.uuid(), checkoutRef: z.string() })
const chargeFailed = z.object({
  paymentId: z.uuid(),
  intentRef: z.string(),
  refusal: z.enum(['declined', 'authentication_required', 'card_gone']),
})
const refund = z.object({
  refundRef: z.string(),
  intentRef: z.string(),
  amountMicroUsd: microUsd,
  state: z.enum(['pending', 'succeeded', 'failed']),
})
const dispute = z.object({
  disputeRef: z.string(),
  intentRef: z.string(),
  amountMicroUsd: microUsd,
  state: z.enum(['open', 'won', 'lost']),
})

const envelope = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  type: z.string(),
  /** ISO 8601. */
  createdAt: z.iso.datetime(),
  data: z.unknown(),
})

/** News that is worth an event. */
export type Told = Exclude<PaymentNews, { kind: 'other' }>

const types: Readonly<Record<Exclude<Told['kind'], 'paid'>, string>> = {
  checkout_expired: 'checkout.expired',
  charge_failed: 'charge.failed',
  refund: 'refund.updated',
  dispute: 'dispute.updated',
}

/** The type under which the news travels. */
export function typeOf(news: Told): string {
  if (news.kind !== 'paid') return types[news.kind]
  return news.checkoutRef === null ? 'charge.succeeded' : 'checkout.completed'
}

export function writeEvent(id: string, createdAt: Date, news: Told): string {
  const { kind: _, ...data } = news
  return JSON.stringify({ id, type: typeOf(news), createdAt: createdAt.toISOString(), data })
}

function readNews(type: string, data: unknown): PaymentNews | undefined {
  const read = <Kind extends Told['kind'], Data>(kind: Kind, schema: z.ZodMiniType<Data>) => {
    const parsed = z.safeParse(schema, data)
    return parsed.success ? { kind, ...parsed.data } : undefined
  }
  switch (type) {
    case 'charge.succeeded':
    case 'checkout.completed':
      return read('paid', paid)
    case 'checkout.expired':
      return read('checkout_expired', checkoutExpired)
    case 'charge.failed':
      return read('charge_failed', chargeFailed)
    case 'refund.updated':
      return read('refund', refund)
    case 'dispute.updated':
      return read('dispute', dispute)
    default:
      return { kind: 'other' }
  }
}

/** Reads what `writeEvent` wrote, whose signature has been checked. A type that is not known is no fault. */
export function parseEvent(body: Uint8Array): Result<PaymentEvent, EventRefusal> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return failure('unreadable')
  }
  const event = z.safeParse(envelope, json)
  if (!event.success) return failure('unreadable')
  const { id, type, createdAt, data } = event.data
  const news = readNews(type, data)
  return news === undefined ? failure('unreadable') : success({ id, createdAt: new Date(createdAt), news })
}
