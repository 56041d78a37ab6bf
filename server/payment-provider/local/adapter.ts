import type { CheckoutView, Delivery } from '#lib/api/local-checkout.ts'
import { failure, type Result, success } from '#lib/result.ts'
import { type Loop, startLoop } from '../../process/loop.ts'
import type { Payments } from '../port.ts'
import {
  closeCheckout,
  describeCheckout,
  expireDue,
  lockCheckout,
  lookUp,
  openCheckout,
} from './checkouts.ts'
import { closeDispute, openDispute, reportPaid } from './disputes.ts'
import { parseEvent } from './events.ts'
import { chargeKeptCard, findCharge, forgetCard, lookUpCharge } from './kept-cards.ts'
import { type Deliver, deliverByHttp, deliverDue } from './outbox.ts'
import {
  type AuthenticationRejection,
  authenticateCheckout,
  type PayRejection,
  payCheckout,
  type TypedCard,
} from './pay.ts'
import { refund } from './refunds.ts'
import { isSigned, signatureHeader } from './signature.ts'
import type { LocalTools } from './tools.ts'

export interface LocalPaymentsOptions extends LocalTools {
  readonly publicUrl: string
  /** Default: `<publicUrl>/api/webhooks/local`. */
  readonly webhookUrl?: string
  readonly deliver?: Deliver
  readonly onError?: (error: unknown) => void
}

export interface HostedCheckout {
  view(ref: string): Promise<Result<CheckoutView, 'not_found'>>
  pay(ref: string, card: TypedCard, delivery: Delivery): Promise<Result<CheckoutView, PayRejection>>
  authenticate(ref: string, approved: boolean): Promise<Result<CheckoutView, AuthenticationRejection>>
}

export interface LocalPayments extends Payments {
  readonly hosted: HostedCheckout
  /** The card's owner disputes a payment. @param amountMicroUsd default: all that was not refunded */
  openDispute(intentRef: string, amountMicroUsd?: number): Promise<string>
  closeDispute(disputeRef: string, state: 'won' | 'lost'): Promise<void>
  reportFraud(intentRef: string): Promise<string>
  /** Delivers due events once; `start` does so periodically. @returns how many were attempted */
  deliverDue(): Promise<number>
  /** Begins to deliver events and expire checkouts. Call once the server listens. */
  start(): void
  /** Undelivered events stay in the outbox for the next start. */
  stop(): Promise<void>
}

/** Pause between turns of the outbox: short, so that a returning buyer already finds the credits. */
const pauseMs = 200

/** Local stand-in: takes only test cards, sends signed events by HTTP as in production, and is never mounted there. */
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
    reportFraud: intentRef => reportPaid(tools, intentRef),
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
