import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cards, type LocalShop, openLocalShop } from './local-shop.ts'

let shop: LocalShop
beforeAll(async () => {
  shop = await openLocalShop()
})
afterEach(() => shop.reset())
afterAll(() => shop.close())

describe('a checkout', () => {
  test('is shown under an unguessable name, and opened once for a payment', async () => {
    const order = shop.order({ savesCard: true })
    const [one, other] = await Promise.all([
      shop.payments.openCheckout(order),
      shop.payments.openCheckout(order),
    ])
    expect(one).toEqual(other)
    if (!one.ok) throw new Error(one.code)
    const { checkoutRef, url } = one.value
    expect(checkoutRef).toMatch(/^cs_local_[\w-]{32}$/)
    expect(url).toBe(`http://localhost:4321/dev/checkout?session=${checkoutRef}`)
    expect(await shop.look(checkoutRef)).toEqual({
      state: 'open',
      amount: 25,
      description: '25 calling credits',
      purpose: 'credits',
      email: 'anna@example.com',
      savesCard: true,
      last4: null,
      successUrl: order.successUrl,
      cancelUrl: order.cancelUrl,
      events: [],
    })
    expect((await shop.app.inject('/dev/checkout/sessions/cs_local_guessed')).statusCode).toBe(404)
    expect(await shop.payments.lookUp(checkoutRef)).toEqual({ ok: true, value: null })
    await expect(shop.payments.openCheckout({ ...order, amountMicroUsd: 5_000_000 })).rejects.toThrow()
  })

  test('is paid once, however often Pay arrives, and says so by one signed event', async () => {
    const order = shop.order()
    const ref = await shop.open(order)
    const answers = await Promise.all(Array.from({ length: 8 }, () => shop.pay(ref, cards.succeeds)))
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200)
      expect(answer.json()).toMatchObject({ state: 'paid', last4: '4242' })
    }
    const updates = await shop.updates()
    expect(updates).toEqual([
      {
        kind: 'paid',
        paymentId: order.paymentId,
        checkoutRef: ref,
        intentRef: expect.stringMatching(/^pi_local_/),
        amountMicroUsd: 25_000_000,
        card: { brand: 'visa', last4: '4242', fingerprint: expect.any(String) },
        kept: null,
      },
    ])
    expect(await shop.payments.lookUp(ref)).toEqual({ ok: true, value: updates[0] })
    expect((await shop.look(ref)).events).toEqual([
      { type: 'checkout.completed', delivered: true, answer: 204 },
    ])
  })

  test.each([
    [cards.declines, 'declined', 402],
    [cards.noFunds, 'no_funds', 402],
  ])('rejected by card %s, stays open for another one', async (number, code, status) => {
    const ref = await shop.open()
    const refused = await shop.pay(ref, number)
    expect(refused.statusCode).toBe(status)
    expect(refused.json()).toMatchObject({ error: { code } })
    expect(await shop.look(ref)).toMatchObject({ state: 'open' })
    expect((await shop.pay(ref, cards.succeeds)).json()).toMatchObject({ state: 'paid' })
    expect(await shop.updates()).toMatchObject([
      { kind: 'charge_failed', rejection: 'declined' },
      { kind: 'paid', card: { last4: '4242' } },
    ])
  })

  test.each([
    [{ number: '4242424242424241' }, 'invalid_card'],
    [{ expiry: '0226' }, 'invalid_card'],
    [{ code: '1234' }, 'invalid_card'],
    [{ number: '4111111111111111' }, 'not_a_test_card'],
    [{ number: '4242 4242' }, 'invalid_request'],
    [{ delivery: 'never' }, 'invalid_request'],
  ])('accepts no card with %j', async (wrong, code) => {
    const ref = await shop.open()
    const refused = await shop.pay(ref, cards.succeeds, wrong)
    expect(refused.statusCode).toBe(400)
    expect(refused.json()).toMatchObject({ error: { code } })
    expect(await shop.look(ref)).toMatchObject({ state: 'open', last4: null })
    expect(await shop.updates()).toEqual([])
  })

  test('asks the bank, and is paid when its question is answered with yes', async () => {
    const ref = await shop.open()
    const authenticate = (approved: boolean) =>
      shop.post(`/dev/checkout/sessions/${ref}/authentication`, { approved })
    expect((await authenticate(true)).json()).toMatchObject({ error: { code: 'not_asked' } })
    expect((await shop.pay(ref, cards.authenticates)).json()).toMatchObject({
      state: 'authenticating',
      last4: '3155',
    })
    expect(await shop.payments.lookUp(ref)).toEqual({ ok: true, value: null })
    const refused = await authenticate(false)
    expect(refused.statusCode).toBe(402)
    expect(await shop.look(ref)).toMatchObject({ state: 'open' })

    await shop.pay(ref, cards.authenticates)
    shop.restart()
    const answers = await Promise.all([authenticate(true), authenticate(true)])
    for (const answer of answers) expect(answer.json()).toMatchObject({ state: 'paid' })
    expect(await shop.updates()).toMatchObject([
      { kind: 'charge_failed', rejection: 'authentication_required' },
      { kind: 'paid', card: { last4: '3155' } },
    ])
  })

  test('expires, and takes no money after that', async () => {
    const order = shop.order()
    const ref = await shop.open(order)
    shop.clock.advance(3_600_000)
    const late = await shop.pay(ref, cards.succeeds)
    expect(late.statusCode).toBe(409)
    expect(await shop.look(ref)).toMatchObject({ state: 'expired' })
    expect(await shop.updates()).toEqual([
      { kind: 'checkout_expired', paymentId: order.paymentId, checkoutRef: ref },
    ])
  })

  test('that the merchant closes takes no money; one that is paid stays paid', async () => {
    const [closed, paid] = [await shop.open(), await shop.open()]
    await shop.pay(paid, cards.succeeds)
    for (const ref of [closed, paid, closed]) {
      expect(await shop.payments.closeCheckout(ref)).toEqual({ ok: true, value: undefined })
    }
    expect((await shop.pay(closed, cards.succeeds)).statusCode).toBe(409)
    expect(await shop.payments.lookUp(closed)).toMatchObject({ value: { kind: 'checkout_expired' } })
    expect(await shop.payments.lookUp(paid)).toMatchObject({ value: { kind: 'paid' } })
    expect((await shop.updates()).map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['checkout_expired', 'paid']),
    )
  })

  test('keeps no card number, only what distinguishes the card', async () => {
    const [one, same, other] = [await shop.open({ savesCard: true }), await shop.open(), await shop.open()]
    await shop.pay(one, cards.succeeds)
    await shop.pay(same, cards.succeeds)
    await shop.pay(other, '378282246310005')
    const paid = (await shop.updates()).map(updates => (updates.kind === 'paid' ? updates.card : null))
    expect(new Set(paid.map(card => card?.fingerprint)).size).toBe(2)
    expect(paid).toContainEqual(expect.objectContaining({ brand: 'amex', last4: '0005' }))
    for (const table of ['local_intent', 'local_kept_card', 'local_checkout', 'local_event']) {
      const rows = await shop.db.query(`select ${table}::text as row from ${table}`)
      expect(JSON.stringify(rows)).not.toMatch(/42424242|37828224/)
    }
  })
})
