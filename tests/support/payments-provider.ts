import { createHmac, timingSafeEqual } from 'node:crypto'
import { failure, success } from '#lib/result.ts'
import type {
  CardRefusal,
  CheckoutOrder,
  PaymentEvent,
  PaymentNews,
  Payments,
  RefundOrder,
  SavedCardCharge,
} from '#server/payments/port.ts'

/**
 * A payment provider without cards, at the boundary of the port: what happens is what a test says, and its events are
 * signed, so that they go through the real webhook. The adapters have a contract test of their own.
 */
export interface SimulatedProvider extends Payments {
  /** Every order that it was asked to open, repeated ones included. */
  readonly orders: CheckoutOrder[]
  readonly forgotten: string[]
  /** Every charge of a kept card that reached it, repeated ones included. */
  readonly charges: SavedCardCharge[]
  /** What a kept card answers; null: it pays. */
  keptCard: CardRefusal | null
  /** Every refund that it was asked for, repeated ones included. */
  readonly refunds: RefundOrder[]
  /** What it answers to a refund. */
  refunding: 'pending' | 'succeeded' | 'refused'
  /** Not reached from now on, before or after it has done what it was asked. */
  away: 'no' | 'before' | 'after'
  /** What `lookUp` answers for a checkout, and `lookUpCharge` for an intent; null while it is open. */
  readonly known: Map<string, PaymentNews>
  /** An event as it is delivered. @param id one of its own unless given */
  event(news: PaymentNews, id?: string): { body: string; signature: string }
}

const signingKey = 'what only the provider and we know'

export function createSimulatedProvider(): SimulatedProvider {
  let events = 0
  const reachable = async <Value>(does: () => Value) => {
    if (provider.away === 'before') return failure('provider_unavailable')
    const value = does()
    return provider.away === 'after' ? failure('provider_unavailable') : success(value)
  }
  const provider: SimulatedProvider = {
    provider: 'local',
    signatureHeader: 'simulated-signature',
    orders: [],
    forgotten: [],
    charges: [],
    keptCard: null,
    away: 'no',
    refunds: [],
    refunding: 'succeeded',
    known: new Map(),
    event: (news, id = `evt_${++events}`) => {
      const body = JSON.stringify({ id, news })
      return { body, signature: sign(body) }
    },
    openCheckout: order =>
      reachable(() => {
        provider.orders.push(order)
        const checkoutRef = `cs_${order.paymentId}`
        return { checkoutRef, url: `https://pay.example/${checkoutRef}` }
      }),
    closeCheckout: () => reachable(() => undefined),
    chargeKeptCard: async charge => {
      const { keptCard: refusal } = provider
      const charged = await reachable(() => {
        provider.charges.push(charge)
        return { intentRef: `pi_${charge.paymentId}` }
      })
      return charged.ok && refusal !== null ? failure(refusal) : charged
    },
    findCharge: ({ paymentId }) =>
      reachable(() => {
        const made = provider.charges.some(charge => charge.paymentId === paymentId)
        return made ? { intentRef: `pi_${paymentId}` } : null
      }),
    lookUpCharge: intentRef => reachable(() => provider.known.get(intentRef) ?? null),
    refund: async order => {
      if (provider.refunding === 'refused') return failure('not_refundable')
      const { refunding: state } = provider
      return reachable(() => {
        provider.refunds.push(order)
        return { refundRef: `re_${order.key}`, state }
      })
    },
    lookUp: ref => reachable(() => provider.known.get(ref) ?? null),
    forgetCard: card =>
      reachable(() => {
        provider.forgotten.push(card.methodRef)
        return undefined
      }),
    readEvent: async (body, signature, now) => {
      const text = Buffer.from(body).toString()
      const [expected, given] = [Buffer.from(sign(text)), Buffer.from(signature)]
      if (expected.length !== given.length || !timingSafeEqual(expected, given)) return failure('forged')
      try {
        const { id, news } = JSON.parse(text) as Pick<PaymentEvent, 'id' | 'news'>
        return success({ id, news, createdAt: now })
      } catch {
        return failure('unreadable')
      }
    },
  }
  return provider
}

function sign(body: string): string {
  return createHmac('sha256', signingKey).update(body).digest('hex')
}
