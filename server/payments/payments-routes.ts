import type { FastifyInstance, FastifyRequest } from 'fastify'
import { billing } from '#lib/api/billing.ts'
import {
  createCheckoutSession,
  payment,
  receipt,
  refundOffer,
  requestRefund as requestRefundEndpoint,
  toggleAutoTopUp,
} from '#lib/api/payments.ts'
import { transfers } from '#lib/api/transfers.ts'
import { company } from '#lib/company.ts'
import { hourMs } from '#lib/time.ts'
import type { Services } from '../context.ts'
import { commonFailure, failed, RequestFailure } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { listBilling } from '../ledger/billing.ts'
import { listTransfers } from '../ledger/transfers.ts'
import { setAutoTopUp } from './auto-top-up/auto-top-up-toggle.ts'
import { openCheckout } from './checkout.ts'
import { mountGifts } from './gifts/gift-routes.ts'
import { answers } from './payment-texts.ts'
import { findReceipt } from './receipt.ts'
import { type EventTrouble, receiveEvent } from './receive.ts'
import { offerRefund, type RefundRejection, requestRefund } from './refunds/refund-request.ts'
import { findPayment } from './rows.ts'

const pressesPerMinute = 60

const support = company.supportEmail

export function mountPayments(mount: Mount, services: Services): void {
  mount(
    createCheckoutSession,
    async ({ userId, body: { amount: amountUsd, ...order } }) => {
      const opened = await openCheckout(services, userId, { ...order, amountUsd })
      if (opened.ok) return opened.value
      if (opened.code === 'unauthorized') throw commonFailure('unauthorized')
      const waitMs = opened.code === 'too_many_checkouts' ? hourMs : undefined
      const message =
        opened.code === 'call_blocked' ? answers.call_blocked({ support }) : answers[opened.code]
      throw failed(createCheckoutSession, opened.code, message, {}, waitMs)
    },
    { perMinute: pressesPerMinute },
  )
  mount(
    toggleAutoTopUp,
    async ({ userId, body }) => {
      const set = await setAutoTopUp(services, userId, body.autoTopUpEnabled)
      if (set.ok) return { auto_topup_enabled: set.value }
      throw failed(toggleAutoTopUp, set.code, answers.saveCardFirst)
    },
    { perMinute: pressesPerMinute },
  )
  mount(payment, async ({ userId, params }) => {
    const state = await findPayment(services.db, userId, params.id)
    if (state === undefined) throw commonFailure('not_found')
    return state
  })
  mount(receipt, async ({ userId, params }) => {
    const found = await findReceipt(services.db, userId, params.id)
    if (found === undefined) throw commonFailure('not_found')
    return found
  })
  mount(transfers, async ({ userId, query }) =>
    listTransfers(services.db, userId, query, services.clock.now()),
  )
  mount(billing, async ({ userId, query }) => listBilling(services.db, userId, query, services.clock.now()))
  mountRefunds(mount, services)
  mountGifts(mount, services)
}

function mountRefunds(mount: Mount, services: Services): void {
  mount(
    refundOffer,
    async ({ userId, params }) => {
      const offer = await offerRefund(services, userId, params.id)
      if (offer.ok) return offer.value
      if (offer.code === 'unknown_payment') throw commonFailure('not_found')
      throw failed(refundOffer, offer.code, refundMessage(offer.code))
    },
    { perMinute: pressesPerMinute },
  )
  mount(
    requestRefundEndpoint,
    async ({ userId, params, body }) => {
      const asked = await requestRefund(services, userId, params.id, body.amount)
      if (asked.ok) return asked.value
      if (asked.code === 'unknown_payment') throw commonFailure('not_found')
      throw failed(requestRefundEndpoint, asked.code, refundMessage(asked.code))
    },
    { perMinute: pressesPerMinute },
  )
}

function refundMessage(code: RefundRejection | 'amount_changed' | 'refund_refused'): string {
  const text = answers[code]
  return typeof text === 'string' ? text : text({ support })
}

/** Far above any provider's event. */
const largestEventBytes = 64 * 1024

/** 4xx: not an event for us. 5xx: the provider should deliver it again. */
const troubles: Readonly<Record<EventTrouble, readonly [status: number, message: string]>> = {
  forged: [400, 'This event is not signed by the provider.'],
  unreadable: [400, 'This event cannot be read.'],
  contradiction: [409, 'This event contradicts the books. It was logged.'],
  provider_unavailable: [503, 'Not now. Deliver this event again.'],
}

/** Webhook of the payment provider. The signature covers the raw bytes, so the body is read unparsed. */
export function mountPaymentEvents(app: FastifyInstance, services: Services): void {
  void app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: largestEventBytes },
      (_request, body, taken) => taken(null, body),
    )
    scope.post<{ Params: { provider: string } }>(
      '/api/webhooks/:provider',
      { config: { signed: true } },
      async request => {
        const { provider, signatureHeader } = services.payments
        if (request.params.provider !== provider) throw commonFailure('not_found')
        const received = await receiveEvent(services, bytesOf(request), header(request, signatureHeader))
        if (received.ok) return { received: true }
        const [status, message] = troubles[received.code]
        if (status === 400) services.log.warn({ code: received.code }, 'a payment event was rejected')
        throw new RequestFailure(received.code, status, message)
      },
    )
    done()
  })
}

function bytesOf({ body }: FastifyRequest): Uint8Array {
  return body instanceof Uint8Array ? body : new Uint8Array()
}

function header({ headers }: FastifyRequest, name: string): string {
  const value = headers[name]
  return typeof value === 'string' ? value : ''
}
