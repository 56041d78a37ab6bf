import { createHmac, timingSafeEqual } from 'node:crypto'
import { failure, success } from '#lib/result.ts'
import type {
  CardRejection,
  CheckoutOrder,
  PaymentEvent,
  Payments,
  PaymentUpdate,
  RefundOrder,
  SavedCardCharge,
} from '#server/payment-provider/port.ts'

/**
 * A simulated payment provider at the boundary of the port: tests decide what happens. Its events are signed, so that
 * they pass through the real webhook. The adapters have their own contract test.
 */
export interface SimulatedProvider extends Payments {
  /** All orders that it was asked to open, including repetitions. */
  readonly orders: CheckoutOrder[]
  readonly forgotten: string[]
  /** All charges of a saved card that reached it, including repetitions. */
  readonly charges: SavedCardCharge[]
  /** The saved card's answer; null: it pays. */
  keptCard: CardRejection | null
  /** All refunds that it was asked for, including repetitions. */
  readonly refunds: RefundOrder[]
  refunding: 'pending' | 'succeeded' | 'refused'
  /** Makes it unreachable, before or after executing a request. */
  away: 'no' | 'before' | 'after'
  /** Answers of `lookUp` for a checkout and of `lookUpCharge` for an intent; null while it is open. */
  readonly known: Map<string, PaymentUpdate>
  /** A signed event. @param id a new one by default */
  event(update: PaymentUpdate, id?: string): { body: string; signature: string }
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
    event: (update, id = `evt_${++events}`) => {
      const body = JSON.stringify({ id, update })
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
      const { keptCard: rejection } = provider
      const charged = await reachable(() => {
        provider.charges.push(charge)
        return { intentRef: `pi_${charge.paymentId}` }
      })
      return charged.ok && rejection !== null ? failure(rejection) : charged
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
        const { id, update } = JSON.parse(text) as Pick<PaymentEvent, 'id' | 'update'>
        return success({ id, update, createdAt: now })
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
