import { randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { apiVersion } from '#server/payment-provider/stripe/client.ts'
import type { Trouble } from '#support/stripe-api.ts'
import { anyOrder } from './contract-house.ts'
import { openStripeAccount, retryPolicy, type StripeAccount } from './stripe-account.ts'

let stripe: StripeAccount
beforeEach(async () => {
  stripe = await openStripeAccount()
})
afterEach(() => stripe.api.close())

describe('what is asked of Stripe', () => {
  test('a checkout of whole dollars for cards alone, with our ids on all that it makes', async () => {
    const { order } = await stripe.open()
    const metadata = { payment_id: order.paymentId, user_id: order.userId, kind: 'checkout' }
    expect(stripe.api.requests).toEqual([
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
    await stripe.open({ savesCard: true })
    expect(stripe.api.requests[0]?.parameters).toMatchObject({
      payment_intent_data: {
        setup_future_usage: 'off_session',
        metadata: { card_kept_by_consent: 'yes' },
      },
      consent_collection: { payment_method_reuse_agreement: { position: 'auto' } },
      custom_text: { submit: { message: expect.stringContaining('charge it automatically') } },
      customer_creation: 'always',
    })
  })

  test('a first payment asks the bank to authenticate it, where it can', async () => {
    await stripe.open({ authenticate: true })
    expect(stripe.api.requests[0]?.parameters).toMatchObject({
      payment_method_options: { card: { request_three_d_secure: 'any' } },
    })
    await stripe.open()
    expect(stripe.api.requests[1]?.parameters).not.toHaveProperty('payment_method_options')
  })

  test('a known customer is named; one who was removed at Stripe becomes a new one', async () => {
    const kept = await stripe.keep()
    const again = await stripe.buy('succeeds', { savesCard: true, customerRef: kept.customerRef })
    expect(again.paid.kept?.customerRef).toBe(kept.customerRef)
    stripe.api.account.removeCustomer(kept.customerRef)
    const anew = await stripe.buy('succeeds', { savesCard: true, customerRef: kept.customerRef })
    expect(anew.paid.kept?.customerRef).toMatch(/^cus_/)
    expect(anew.paid.kept?.customerRef).not.toBe(kept.customerRef)
    expect(stripe.api.requests.map(request => request.key)).toContain(`${anew.order.paymentId}:new-customer`)
  })

  test('the charge of a kept card whose customer was removed finds the card gone', async () => {
    const kept = await stripe.keep()
    stripe.api.account.removeCustomer(kept.customerRef)
    expect(await stripe.charge(kept)).toEqual({ ok: false, code: 'card_gone' })
  })

  test('the version that the package is made for', () => {
    expect(apiVersion).toBe(Stripe.API_VERSION)
  })
})

describe('trouble', () => {
  const order = () => anyOrder(stripe.clock)
  const made = () => stripe.api.requests.filter(({ method }) => method === 'POST')

  test.each<Trouble>(['error', 'rate', 'busy', 'silent', 'lost', 'cut', 'gateway'])(
    '%s: asked again with the same key, a checkout is opened once',
    async kind => {
      const wanted = order()
      stripe.api.trouble(kind)
      const opened = await stripe.connect().openCheckout(wanted)
      expect(opened).toMatchObject({ ok: true })
      expect(made()).toHaveLength(2)
      expect(new Set(made().map(request => JSON.stringify(request))).size).toBe(1)
      expect(await stripe.connect().openCheckout(wanted)).toEqual(opened)
    },
  )

  test.each<Trouble>(['lost', 'cut'])('%s: a kept card is charged once', async kind => {
    const kept = await stripe.keep()
    const paymentId = randomUUID()
    stripe.api.trouble(kind)
    const charged = await stripe.charge(kept, paymentId)
    expect(charged).toMatchObject({ ok: true })
    expect(await stripe.charge(kept, paymentId)).toEqual(charged)
    expect(stripe.api.takeEvents().filter(({ type }) => type === 'payment_intent.succeeded')).toHaveLength(1)
  })

  test.each<Trouble>(['lost', 'cut'])('%s: a refund is made once', async kind => {
    const { paid } = await stripe.buy()
    stripe.api.takeEvents()
    stripe.api.trouble(kind)
    const asked = { intentRef: paid.intentRef, amountMicroUsd: 10_000_000, key: 'refund-7' }
    expect(await stripe.connect().refund(asked)).toMatchObject({ ok: true })
    expect(stripe.api.takeEvents().filter(({ type }) => type === 'refund.created')).toHaveLength(1)
  })

  test.each<Trouble>(['error', 'rate', 'silent', 'gateway'])(
    'reports a %s that does not end within the allowed time',
    async kind => {
      stripe.api.trouble(...Array<Trouble>(10).fill(kind))
      const startedMs = performance.now()
      expect(await stripe.connect().openCheckout(order())).toEqual({
        ok: false,
        code: 'provider_unavailable',
      })
      expect(performance.now() - startedMs).toBeLessThan(retryPolicy.wholeMs)
      expect(made()).toHaveLength(4)
    },
  )

  test('no attempt begins after the time that was allowed', async () => {
    stripe.api.trouble('silent', 'silent', 'silent', 'silent')
    const hasty = stripe.connect({ retryPolicy: { ...retryPolicy, wholeMs: 200 } })
    expect(await hasty.openCheckout(order())).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(made()).toHaveLength(2)
  })

  test('that Stripe says will stay is not asked about again', async () => {
    stripe.api.trouble('hopeless')
    expect(await stripe.connect().openCheckout(order())).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(made()).toHaveLength(1)
  })

  test('that is remembered for the key stays for this payment, and not for the next', async () => {
    const wanted = order()
    stripe.api.trouble('kept_error')
    expect(await stripe.connect().openCheckout(wanted)).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(await stripe.connect().openCheckout(wanted)).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(await stripe.connect().openCheckout(order())).toMatchObject({ ok: true })
  })

  test('handles everything else alike', async () => {
    const { checkoutRef, paid } = await stripe.buy('succeeds', { savesCard: true })
    const kept = paid.kept ?? { customerRef: '', methodRef: '' }
    const unavailable = { ok: false, code: 'provider_unavailable' }
    const ever = () => stripe.api.trouble('error', 'error', 'error', 'error')
    ever()
    expect(await stripe.connect().closeCheckout(checkoutRef)).toEqual(unavailable)
    ever()
    expect(await stripe.connect().lookUp(checkoutRef)).toEqual(unavailable)
    ever()
    expect(await stripe.charge(kept)).toEqual(unavailable)
    ever()
    expect(
      await stripe.connect().refund({ intentRef: paid.intentRef, amountMicroUsd: 10_000, key: 'r' }),
    ).toEqual(unavailable)
    ever()
    expect(await stripe.connect().forgetCard(kept)).toEqual(unavailable)
    const completed = stripe.take('checkout.session.completed')
    ever()
    expect(await stripe.read(completed)).toEqual(unavailable)
    expect(await stripe.read(completed)).toMatchObject({ ok: true })
  })

  test('with our key is reported at once, and no log holds a secret or a person', async () => {
    const stranger = stripe.connect({ secretKey: 'sk_test_51AnotherSecret' })
    expect(await stranger.openCheckout(order())).toEqual({ ok: false, code: 'provider_unavailable' })
    expect(made()).toHaveLength(1)
    const kept = await stripe.keep()
    stripe.api.trouble('error', 'rate', 'cut')
    await stripe.charge(kept)
    expect(stripe.logged.join('')).toContain('a Stripe request is repeated')
    for (const secret of [
      'AnotherSecret',
      stripe.api.secretKey,
      stripe.api.webhookSecret,
      'anna@',
      '4242',
      kept.methodRef,
    ]) {
      expect(stripe.logged.join('')).not.toContain(secret)
    }
  })

  test('of our own making is thrown, without what was asked', async () => {
    const wanted = order()
    await stripe.connect().openCheckout(wanted)
    const other = stripe.connect().openCheckout({ ...wanted, amountMicroUsd: 50_000_000 })
    await expect(other).rejects.toThrow(/^open checkout: StripeIdempotencyError \(code none, parameter none/)
    const early = stripe
      .connect()
      .openCheckout({ ...order(), expiresAt: new Date(stripe.clock.now().getTime() + 60_000) })
    await expect(early).rejects.toThrow(/parameter expires_at/)
    await expect(stripe.connect().openCheckout({ ...order(), amountMicroUsd: 1 })).rejects.toThrow(RangeError)
  })
})
