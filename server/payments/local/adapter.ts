import type { CheckoutView, Delivery } from '#lib/api/local-checkout.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { type Loop, startLoop } from '../../loop.ts'
import type { Payments } from '../port.ts'
import {
  closeCheckout,
  describeCheckout,
  expireDue,
  lockCheckout,
  lookUp,
  openCheckout,
} from './checkouts.ts'
import { closeDispute, openDispute } from './disputes.ts'
import { parseEvent } from './events.ts'
import { chargeKeptCard, findCharge, forgetCard, lookUpCharge } from './kept-cards.ts'
import { type Deliver, deliverByHttp, deliverDue } from './outbox.ts'
import {
  type AuthenticationRefusal,
  authenticateCheckout,
  type PayRefusal,
  payCheckout,
  type TypedCard,
} from './pay.ts'
import { refund } from './refunds.ts'
import { isSigned, signatureHeader } from './signature.ts'
import type { LocalTools } from './tools.ts'

export interface LocalPaymentsOptions extends LocalTools {
  /** Where the buyer's browser finds the hosted page. */
  readonly publicUrl: string
  /** Where the events go; `<publicUrl>/api/webhooks/local` unless told otherwise. */
  readonly webhookUrl?: string
  /** How they go there; by HTTP unless a test does it otherwise. */
  readonly deliver?: Deliver
  /** Told of a turn of the outbox that failed. The next one finds the same work. */
  readonly onError?: (error: unknown) => void
}

/** What the hosted page asks for. */
export interface HostedCheckout {
  view(ref: string): Promise<Result<CheckoutView, 'not_found'>>
  pay(ref: string, card: TypedCard, delivery: Delivery): Promise<Result<CheckoutView, PayRefusal>>
  authenticate(ref: string, approved: boolean): Promise<Result<CheckoutView, AuthenticationRefusal>>
}

export interface LocalPayments extends Payments {
  readonly hosted: HostedCheckout
  /** The card's owner disputes a payment: all of it that was not refunded, or so many micro-dollars. */
  openDispute(intentRef: string, amountMicroUsd?: number): Promise<string>
  closeDispute(disputeRef: string, state: 'won' | 'lost'): Promise<void>
  /** Sends the events that are due, once; gives how many. `start` does so by itself. */
  deliverDue(): Promise<number>
  /** Begins to send events and to end checkouts whose time is over. Call it once the server listens. */
  start(): void
  /** Stops that. What was not delivered stays in the outbox for the next start. */
  stop(): Promise<void>
}

/** How long the outbox rests between two turns: a buyer who comes back finds the credits there. */
const pauseMs = 200

/**
 * The local stand-in for a card payment provider: a hosted page of ours, kept cards, refunds and disputes, and events
 * that are signed and delivered by HTTP like the production provider's. All of its state is in the database. It takes
 * test cards only, and is never mounted in production.
 */
export function createLocalPayments(options: LocalPaymentsOptions): LocalPayments {
  const { db, clock, random, secret, publicUrl } = options
  const tools: LocalTools = { db, clock, random, secret }
  const stopping = new AbortController()
  const sendDue = () =>
    deliverDue({
      ...tools,
      url: options.webhookUrl ?? `${publicUrl}/api/webhooks/local`,
      deliver: options.deliver ?? deliverByHttp,
      signal: stopping.signal,
    })
  let loop: Loop | undefined
  return {
    provider: 'local',
    signatureHeader,
    openCheckout: async order => {
      const checkoutRef = await openCheckout(tools, order)
      return success({ checkoutRef, url: `${publicUrl}/dev/checkout?session=${checkoutRef}` })
    },
    closeCheckout: async ref => success(await closeCheckout(tools, ref)),
    chargeKeptCard: charge => chargeKeptCard(tools, charge),
    refund: order => refund(tools, order),
    lookUp: async ref => success(await lookUp(tools, ref)),
    lookUpCharge: async ref => success(await lookUpCharge(tools, ref)),
    findCharge: async ({ paymentId }) => success(await findCharge(tools, paymentId)),
    forgetCard: async card => success(await forgetCard(tools, card)),
    readEvent: async (body, signature, now) =>
      isSigned(secret, body, signature, now) ? parseEvent(body) : failure('forged'),
    hosted: {
      view: ref =>
        db.transaction(async tx => {
          const row = await lockCheckout(tools, tx, ref)
          return row === undefined ? failure('not_found') : success(await describeCheckout(tx, row))
        }),
      pay: (ref, card, delivery) => payCheckout(tools, ref, card, delivery),
      authenticate: (ref, approved) => authenticateCheckout(tools, ref, approved),
    },
    openDispute: (intentRef, amountMicroUsd) => openDispute(tools, intentRef, amountMicroUsd),
    closeDispute: (disputeRef, state) => closeDispute(tools, disputeRef, state),
    deliverDue: sendDue,
    start: () => {
      const turn = async () => {
        await expireDue(tools)
        await sendDue()
      }
      loop ??= startLoop(pauseMs, turn, options.onError ?? (() => undefined))
    },
    stop: async () => {
      stopping.abort()
      await loop?.stop()
    },
  }
}
