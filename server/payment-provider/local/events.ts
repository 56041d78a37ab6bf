import * as z from 'zod/mini'
import { failure, type Result, success } from '#lib/result.ts'
import type { EventRejection, PaymentEvent, PaymentUpdate } from '../port.ts'

/** JSON format of the local checkout's events. Readers ignore unknown fields. */

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
  rejection: z.enum(['declined', 'authentication_required', 'card_gone']),
})
const refund = z.object({
  refundRef: z.string(),
  /** Absent in events of earlier versions. */
  key: z._default(z.nullable(z.uuid()), null),
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

const fraudWarning = z.object({ warningRef: z.string(), intentRef: z.string() })

const envelope = z.object({
  id: z.string().check(z.minLength(1), z.maxLength(200)),
  type: z.string(),
  createdAt: z.iso.datetime(),
  data: z.unknown(),
})

/** The local provider knows US dollars only. */
export type ProviderUpdate = Exclude<PaymentUpdate, { kind: 'other' | 'foreign_currency' }>

const types: Readonly<Record<Exclude<ProviderUpdate['kind'], 'paid'>, string>> = {
  checkout_expired: 'checkout.expired',
  charge_failed: 'charge.failed',
  refund: 'refund.updated',
  dispute: 'dispute.updated',
  fraud_warning: 'fraud_warning.created',
}

export function typeOf(update: ProviderUpdate): string {
  if (update.kind !== 'paid') return types[update.kind]
  return update.checkoutRef === null ? 'charge.succeeded' : 'checkout.completed'
}

export function writeEvent(id: string, createdAt: Date, update: ProviderUpdate): string {
  const { kind: _, ...data } = update
  return JSON.stringify({ id, type: typeOf(update), createdAt: createdAt.toISOString(), data })
}

function readUpdate(type: string, data: unknown): PaymentUpdate | undefined {
  const read = <Kind extends ProviderUpdate['kind'], Data>(kind: Kind, schema: z.ZodMiniType<Data>) => {
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
    case 'fraud_warning.created':
      return read('fraud_warning', fraudWarning)
    default:
      return { kind: 'other' }
  }
}

/** Parses the output of `writeEvent`, after its signature was verified. Unknown types become `other`. */
export function parseEvent(body: Uint8Array): Result<PaymentEvent, EventRejection> {
  let json: unknown
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    return failure('unreadable')
  }
  const event = z.safeParse(envelope, json)
  if (!event.success) return failure('unreadable')
  const { id, type, createdAt, data } = event.data
  const update = readUpdate(type, data)
  return update === undefined
    ? failure('unreadable')
    : success({ id, createdAt: new Date(createdAt), update })
}
