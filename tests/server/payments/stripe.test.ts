import { randomUUID } from 'node:crypto'
import { Writable } from 'node:stream'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import type { CheckoutOrder, KeptCard } from '#server/payment-provider/port.ts'
import { createStripePayments } from '#server/payment-provider/stripe/adapter.ts'
import { apiVersion } from '#server/payment-provider/stripe/client.ts'
import { systemRandom } from '#server/process/random.ts'
import { createRunningClock, type MovableClock } from '#support/movable-clock.ts'
import { type StripeApi, startStripeApi, type Trouble } from '#support/stripe-api.ts'
import { stripeCards } from '#support/stripe-api-types.ts'
import { anyOrder } from './contract.ts'

const retryPolicy = { attemptMs: 150, wholeMs: 2_000, pauseMs: 4 }

let clock: MovableClock
let api: StripeApi
let logged: string[]

beforeEach(async () => {
  clock = createRunningClock()
  logged = []
  api = await startStripeApi(() => clock.now())
})
afterEach(() => api.close())

function connect(settings: Partial<StripeApi> & { retryPolicy?: typeof retryPolicy } = {}) {
  const sink = new Writable({
    write: (line, _encoding, done) => {
      logged.push(String(line))
      done()
    },
  })
  const log = createLog('trace', sink)
  return createStripePayments({ ...api, retryPolicy, ...settings }, { clock, random: systemRandom, log })
}

async function open(details?: Partial<CheckoutOrder>) {
  const order = anyOrder(clock, details)
  const opened = await connect().openCheckout(order)
  if (!opened.ok) throw new Error(opened.code)
  return { order, ...opened.value }
}

async function buy(card: keyof typeof stripeCards = 'succeeds', details?: Partial<CheckoutOrder>) {
  const opened = await open(details)
  api.account.pay(opened.url, stripeCards[card])
  const found = await connect().lookUp(opened.checkoutRef)
  if (!found.ok || found.value?.kind !== 'paid') throw new Error('it was not paid')
  return { ...opened, paid: found.value }
}

async function keep(): Promise<KeptCard> {
  const { paid } = await buy('succeeds', { savesCard: true })
  if (paid.kept === null) throw new Error('no card was kept')
  api.takeEvents()
  return paid.kept
}

const charge = (kept: KeptCard, paymentId: string = randomUUID()) =>
  connect().chargeKeptCard({
    ...kept,
    paymentId,
    userId: 'b7c1f0a2-5d3e-4c86-9a1f-2e4d6c8b0a13',
    amountMicroUsd: 10_000_000,
    description: 'Auto top-up',
  })

/** Reads an event as it arrives, or with parts of it changed and signed again. */
function read(body: string | object, at = clock.now(), payments = connect()) {
  const written = typeof body === 'string' ? body : JSON.stringify(body)
  return payments.readEvent(new TextEncoder().encode(written), api.sign(written, at), clock.now())
}

/** The event of this type that was sent since the last time, as an object. */
function take(type: string) {
  const found = api.takeEvents().find(event => event.type === type)
  if (found === undefined) throw new Error(`no ${type}`)
  return JSON.parse(found.body)
}

describe('what is asked of Stripe', () => {
  test('a checkout of whole dollars for cards alone, with our ids on all that it makes', async () => {
    const { order } = await open()
    const metadata = { payment_id: order.paymentId, user_id: order.userId, kind: 'checkout' }
    expect(api.requests).toEqual([
      {
        method: 'POST',
        path: '/v1/checkout/sessions',
        key: order.paymentId,
        parameters: {
          mode: 'payment',
          client_reference_id: order.paymentId,
          metadata,
          line_items: [
            {
              quantity: '1',
              price_data: {
                currency: 'usd',
                unit_amount: '2500',
                product_data: { name: '25 calling credits' },
              },
            },
          ],
          allowed_payment_method_types: ['card'],
          wallet_options: { link: { display: 'never' } },
          adaptive_pricing: { enabled: 'false' },
          payment_intent_data: { description: '25 calling credits', metadata },
          customer_email: 'anna@example.com',
          customer_creation: 'if_required',
          success_url: order.successUrl,
          cancel_url: order.cancelUrl,
          expires_at: String(Math.floor(order.expiresAt.getTime() / 1000)),
        },
      },
    ])
  })

  test('a card is kept only where the buyer agrees, who reads so beside the button', async () => {
    await open({ savesCard: true })
    expect(api.requests[0]?.parameters).toMatchObject({
      payment_intent_data: {
        setup_future_usage: 'off_session',
        metadata: { card_kept_by_consent: 'yes' },
      },
      consent_collection: { payment_method_reuse_agreement: { position: 'auto' } },
      custom_text: { submit: { message: expect.stringContaining('charge it while you are away') } },
      customer_creation: 'always',
    })
  })

  test('a first payment asks the bank to authenticate it, where it can', async () => {
    await open({ authenticate: true })
    expect(api.requests[0]?.parameters).toMatchObject({
      payment_method_options: { card: { request_three_d_secure: 'any' } },
    })
    await open()
    expect(api.requests[1]?.parameters).not.toHaveProperty('payment_method_options')
  })

  test('a known customer is named; one who was removed at Stripe becomes a new one', async () => {
    const kept = await keep()
    const again = await buy('succeeds', { savesCard: true, customerRef: kept.customerRef })
    expect(again.paid.kept?.customerRef).toBe(kept.customerRef)
    api.account.removeCustomer(kept.customerRef)
    const anew = await buy('succeeds', { savesCard: true, customerRef: kept.customerRef })
    expect(anew.paid.kept?.customerRef).toMatch(/^cus_/)
    expect(anew.paid.kept?.customerRef).not.toBe(kept.customerRef)
    expect(api.requests.map(request => request.key)).toContain(`${anew.order.paymentId}:new-customer`)
  })

  test('the charge of a kept card whose customer was removed finds the card gone', async () => {
    const kept = await keep()
    api.account.removeCustomer(kept.customerRef)
    expect(await charge(kept)).toEqual({ ok: false, code: 'card_gone' })
  })

  test('the version that the package is made for', () => {
    expect(apiVersion).toBe(Stripe.API_VERSION)
  })
})

describe('trouble', () => {
  const order = () => anyOrder(clock)
  const made = () => api.requests.filter(({ method }) => method === 'POST')

  test.each<Trouble>(['error', 'rate', 'busy', 'silent', 'lost', 'cut', 'gateway'])(
    '%s: asked again with the same key, a checkout is opened once',
    async kind => {
      const wanted = order()
      api.trouble(kind)
      const opened = await connect().openCheckout(wanted)
      expect(opened).toMatchObject({ ok: true })
      expect(made()).toHaveLength(2)
      expect(new Set(made().map(request => JSON.stringify(request))).size).toBe(1)
      expect(await connect().openCheckout(wanted)).toEqual(opened)
    },
  )

  test.each<Trouble>(['lost', 'cut'])('%s: a kept card is charged once', async kind => {
    const kept = await keep()
    const paymentId = randomUUID()
    api.trouble(kind)
    const charged = await charge(kept, paymentId)
    expect(charged).toMatchObject({ ok: true })
    expect(await charge(kept, paymentId)).toEqual(charged)
    expect(api.takeEvents().filter(({ type }) => type === 'payment_intent.succeeded')).toHaveLength(1)
  })

  test.each<Trouble>(['lost', 'cut'])('%s: a refund is made once', async kind => {
    const { paid } = await buy()
    api.takeEvents()
    api.trouble(kind)
    const asked = { intentRef: paid.intentRef, amountMicroUsd: 10_000_000, key: 'refund-7' }
    expect(await connect().refund(asked)).toMatchObject({ ok: true })
    expect(api.takeEvents().filter(({ type }) => type === 'refund.created')).toHaveLength(1)
  })

  test.each<Trouble>(['error', 'rate', 'silent', 'gateway'])(
    'reports a %s that does not end within the allowed time',
    async kind => {
      api.trouble(...Array<Trouble>(10).fill(kind))
      const startedMs = performance.now()
      expect(await connect().openCheckout(order())).toEqual({ ok: false, code: 'provider_unavailable' })
      expect(performance.now() - startedMs).toBeLessThan(retryPolicy.wholeMs)
      expect(made()).toHaveLength(4)
    },
  )

  test('no attempt begins after the time that was allowed', async () => {
    api.trouble('silent', 'silent', 'silent', 'silent')
    const hasty = connect({ retryPolicy: { ...retryPolicy, wholeMs: 200 } })
    expect(await hasty.openCheckout(order())).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(made()).toHaveLength(2)
  })

  test('that Stripe says will stay is not asked about again', async () => {
    api.trouble('hopeless')
    expect(await connect().openCheckout(order())).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(made()).toHaveLength(1)
  })

  test('that is remembered for the key stays for this payment, and not for the next', async () => {
    const wanted = order()
    api.trouble('kept_error')
    expect(await connect().openCheckout(wanted)).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(await connect().openCheckout(wanted)).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(await connect().openCheckout(order())).toMatchObject({ ok: true })
  })

  test('handles everything else alike', async () => {
    const { checkoutRef, paid } = await buy('succeeds', { savesCard: true })
    const kept = paid.kept ?? { customerRef: '', methodRef: '' }
    const unavailable = { ok: false, code: 'provider_unavailable' }
    const ever = () => api.trouble('error', 'error', 'error', 'error')
    ever()
    expect(await connect().closeCheckout(checkoutRef)).toEqual(unavailable)
    ever()
    expect(await connect().lookUp(checkoutRef)).toEqual(unavailable)
    ever()
    expect(await charge(kept)).toEqual(unavailable)
    ever()
    expect(await connect().refund({ intentRef: paid.intentRef, amountMicroUsd: 10_000, key: 'r' })).toEqual(
      unavailable,
    )
    ever()
    expect(await connect().forgetCard(kept)).toEqual(unavailable)
    const completed = take('checkout.session.completed')
    ever()
    expect(await read(completed)).toEqual(unavailable)
    expect(await read(completed)).toMatchObject({ ok: true })
  })

  test('with our key is reported at once, and no log holds a secret or a person', async () => {
    const stranger = connect({ secretKey: 'sk_test_51AnotherSecret' })
    expect(await stranger.openCheckout(order())).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(made()).toHaveLength(1)
    const kept = await keep()
    api.trouble('error', 'rate', 'cut')
    await charge(kept)
    expect(logged.join('')).toContain('a Stripe request is repeated')
    for (const secret of [
      'AnotherSecret',
      api.secretKey,
      api.webhookSecret,
      'anna@',
      '4242',
      kept.methodRef,
    ]) {
      expect(logged.join('')).not.toContain(secret)
    }
  })

  test('of our own making is thrown, without what was asked', async () => {
    const wanted = order()
    await connect().openCheckout(wanted)
    const other = connect().openCheckout({ ...wanted, amountMicroUsd: 50_000_000 })
    await expect(other).rejects.toThrow(/^open checkout: StripeIdempotencyError \(code none, parameter none/)
    const early = connect().openCheckout({ ...order(), expiresAt: new Date(clock.now().getTime() + 60_000) })
    await expect(early).rejects.toThrow(/parameter expires_at/)
    await expect(connect().openCheckout({ ...order(), amountMicroUsd: 1 })).rejects.toThrow(RangeError)
  })
})

describe('an event', () => {
  test('holds for 300 s by our clock, and a clock that is ten minutes ahead rejects it', async () => {
    await buy()
    const completed = take('checkout.session.completed')
    const now = clock.now()
    const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
    expect(await read(completed, ago(299))).toMatchObject({ ok: true })
    expect(await read(completed, ago(302))).toEqual({ ok: false, code: 'forged' })
    expect(await read(completed, ago(600))).toEqual({ ok: false, code: 'forged' })
    expect(await read(completed, ago(-600))).toMatchObject({ ok: true })
  })

  test('signed with another secret is forged', async () => {
    await buy()
    const completed = take('checkout.session.completed')
    const stranger = connect({ webhookSecret: 'whsec_another' })
    expect(await read(completed, clock.now(), stranger)).toEqual({ ok: false, code: 'forged' })
  })

  test('of real money is nothing for a test key, nor the other way round, nor one of another account', async () => {
    await buy()
    const completed = take('checkout.session.completed')
    const unreadable = { ok: false, code: 'unreadable' }
    expect(await read({ ...completed, livemode: true })).toEqual(unreadable)
    expect(await read({ ...completed, account: 'acct_1Another' })).toEqual(unreadable)
    expect(await read({ ...completed, object: 'v2.core.event' })).toEqual(unreadable)
    const live = connect({ secretKey: 'rk_live_51OnLoopbackOnly' })
    expect(await read(completed, clock.now(), live)).toEqual(unreadable)
  })

  test('of a complete but unpaid checkout is no payment; the later one is, or the failure', async () => {
    const { order, checkoutRef, paid } = await buy()
    const completed = take('checkout.session.completed')
    const unpaid = { ...completed, data: { object: { ...completed.data.object, payment_status: 'unpaid' } } }
    expect(await read(unpaid)).toMatchObject({ value: { update: { kind: 'other' } } })
    const later = { ...completed, type: 'checkout.session.async_payment_succeeded' }
    expect(await read(later)).toMatchObject({ value: { update: paid } })
    expect(await read({ ...unpaid, type: 'checkout.session.async_payment_failed' })).toMatchObject({
      value: { update: { kind: 'charge_failed', paymentId: order.paymentId, intentRef: paid.intentRef } },
    })
    expect(paid.checkoutRef).toBe(checkoutRef)
  })

  test('of a payment in another currency is unreadable: we asked for no such payment', async () => {
    const { paid } = await buy()
    const completed = take('checkout.session.completed')
    api.account.changeCurrency(paid.intentRef, 'eur')
    expect(await read(completed)).toEqual({ ok: false, code: 'unreadable' })
  })

  test('of a charge that belongs to a checkout is left to the checkout', async () => {
    await buy()
    expect(await read(take('payment_intent.succeeded'))).toMatchObject({
      value: { update: { kind: 'other' } },
    })
  })

  test.each([
    'checkout.session.completed',
    'checkout.session.expired',
    'checkout.session.async_payment_failed',
    'payment_intent.succeeded',
    'payment_intent.payment_failed',
  ])('%s of what others sell on the same account is nothing to us', async type => {
    await buy()
    const event = take(
      type.startsWith('checkout') ? 'checkout.session.completed' : 'payment_intent.succeeded',
    )
    const object = { ...event.data.object, metadata: {} }
    expect(await read({ ...event, type, data: { object } })).toMatchObject({
      value: { update: { kind: 'other' } },
    })
  })

  test('of a refund says so, whoever made it and by whichever event', async () => {
    const { paid } = await buy('refunds_slowly')
    const made = api.account.createRefund({ payment_intent: paid.intentRef, amount: 500 })
    const refund = {
      kind: 'refund',
      refundRef: made.id,
      intentRef: paid.intentRef,
      amountMicroUsd: 5_000_000,
    }
    expect(await read(take('charge.refunded'))).toMatchObject({
      value: { update: { ...refund, state: 'pending' } },
    })
    api.account.changeRefund(made.id, 'failed')
    expect(await read(take('refund.failed'))).toMatchObject({
      value: { update: { ...refund, state: 'failed' } },
    })
  })

  test.each(['warning_needs_response', 'warning_under_review', 'prevented'] as const)(
    'of an inquiry, %s, takes nothing from anybody',
    async status => {
      const { paid } = await buy()
      api.account.dispute(paid.intentRef, status)
      const created = take('charge.dispute.created')
      expect(await read(created)).toMatchObject({ value: { update: { kind: 'other' } } })
    },
  )

  test('of fraud that is about a charge without an intent is ignored', async () => {
    const { paid } = await buy()
    api.account.reportFraud(paid.intentRef)
    const reported = take('radar.early_fraud_warning.created')
    expect(await read(reported)).toMatchObject({
      value: { update: { kind: 'fraud_warning', intentRef: paid.intentRef } },
    })
    const { payment_intent: _, ...object } = reported.data.object
    expect(await read({ ...reported, data: { object } })).toMatchObject({
      value: { update: { kind: 'other' } },
    })
  })

  test('of a dispute in the bank’s own currency is about the whole payment', async () => {
    const { paid } = await buy()
    const disputeRef = api.account.dispute(paid.intentRef, 'needs_response')
    const created = take('charge.dispute.created')
    const object = { ...created.data.object, currency: 'eur', amount: 2_312 }
    const dispute = { kind: 'dispute', disputeRef, amountMicroUsd: 25_000_000, state: 'open' }
    expect(await read({ ...created, data: { object } })).toMatchObject({ value: { update: dispute } })
    const appealed = { ...created.data.object, status: 'appeal_under_review' }
    expect(await read({ ...created, data: { object: appealed } })).toMatchObject({
      value: { update: { ...dispute, state: 'lost' } },
    })
  })
})
