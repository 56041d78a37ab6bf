import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { signEvent } from '#server/payment-provider/local/signature.ts'
import { cards, type LocalShop, openLocalShop } from './local-shop.ts'

let shop: LocalShop
beforeAll(async () => {
  shop = await openLocalShop()
})
afterEach(() => shop.reset())
afterAll(() => shop.close())

async function paidCheckout(delivery: string): Promise<string> {
  const ref = await shop.open()
  await shop.pay(ref, cards.succeeds, { delivery })
  return ref
}

describe('events travel', () => {
  test('20 seconds late', async () => {
    await paidCheckout('late')
    expect(await shop.updates()).toEqual([])
    expect(await shop.updates(19_000)).toEqual([])
    expect(await shop.updates(1_000)).toMatchObject([{ kind: 'paid' }])
  })

  test('twice at once, under one id', async () => {
    await paidCheckout('twice')
    expect(await shop.updates()).toHaveLength(2)
    expect(new Set(shop.events.map(({ id }) => id)).size).toBe(1)
  })

  test('out of order: the payment first, the attempt that failed before it afterwards', async () => {
    const ref = await shop.open()
    await shop.pay(ref, cards.declines, { delivery: 'out_of_order' })
    await shop.pay(ref, cards.succeeds, { delivery: 'out_of_order' })
    expect(await shop.updates()).toMatchObject([{ kind: 'paid' }])
    expect(await shop.updates(20_000)).toMatchObject([{ kind: 'paid' }, { kind: 'charge_failed' }])
    const [paid, failed] = shop.events
    expect(failed?.createdAt.getTime()).toBeLessThanOrEqual(paid?.createdAt.getTime() ?? 0)
  })

  test('retries until the merchant accepts them, with growing pauses, over restarts', async () => {
    const ref = await paidCheckout('prompt')
    shop.answerWith(500)
    expect(await shop.updates()).toHaveLength(1)
    expect(await shop.updates(1_000)).toHaveLength(1)
    expect(await shop.updates(1_000)).toHaveLength(2)
    expect((await shop.look(ref)).events).toEqual([
      { type: 'checkout.completed', delivered: false, answer: 500 },
    ])
    shop.restart()
    shop.answerWith(204)
    expect(await shop.updates(3_000)).toHaveLength(2)
    // Signed again each time: the first signature has long expired by now.
    expect(await shop.updates(600_000)).toHaveLength(3)
    expect(await shop.updates(3_600_000)).toHaveLength(3)
    expect(new Set(shop.events.map(({ id }) => id)).size).toBe(1)
  })

  test('are sent automatically once started, and no more once stopped', async () => {
    const expiring = await shop.open({ expiresAt: new Date(shop.clock.now().getTime() + 1000) })
    shop.payments.start()
    await paidCheckout('prompt')
    await expect.poll(() => shop.events.length).toBe(1)
    shop.clock.advance(1000)
    await expect
      .poll(() => shop.events.at(-1)?.update)
      .toMatchObject({
        kind: 'checkout_expired',
        checkoutRef: expiring,
      })
    await shop.payments.stop()
    await paidCheckout('prompt')
    await new Promise(resolve => setTimeout(resolve, 500))
    expect(shop.events).toHaveLength(2)
    shop.restart()
    expect(await shop.updates()).toHaveLength(3)
  })

  test('to one process only, however many look', async () => {
    for (let count = 0; count < 10; count += 1) await paidCheckout('prompt')
    const [one, other] = [shop.restart(), shop.restart()]
    await Promise.all([one, other, one, other].map(provider => provider.deliverDue()))
    expect(shop.events).toHaveLength(10)
  })
})

describe('an event is genuine', () => {
  const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value))
  const secret = new Uint8Array(32).fill(9)
  const read = (body: Uint8Array, signature: string) =>
    shop.payments.readEvent(body, signature, shop.clock.now())
  const signed = (value: unknown) => {
    const body = encode(value)
    return read(body, signEvent(secret, body, shop.clock.now()))
  }
  const event = { id: 'evt_1', type: 'news', createdAt: '2026-03-01T12:00:00.000Z', data: {} }

  test('only with our signature over its very bytes, at most five minutes old', async () => {
    const body = encode(event)
    const signature = signEvent(secret, body, shop.clock.now())
    const forged = { ok: false, code: 'forged' }
    expect(await read(body, signature)).toMatchObject({ ok: true })
    expect(await read(encode({ ...event, id: 'evt_2' }), signature)).toEqual(forged)
    expect(await read(body, signEvent(new Uint8Array(32), body, shop.clock.now()))).toEqual(forged)
    for (const nonsense of ['', 't=1,v1=', signature.slice(0, -1), signature.replace('t=', 't=1')]) {
      expect(await read(body, nonsense)).toEqual(forged)
    }
    shop.clock.advance(5 * 60_000)
    expect(await read(body, signature)).toMatchObject({ ok: true })
    shop.clock.advance(1_000)
    expect(await read(body, signature)).toEqual(forged)
    shop.clock.advance(-10 * 60_000 - 2_000)
    expect(await read(body, signature)).toEqual(forged)
  })

  test('with fields and types that we do not know; not without those that it needs', async () => {
    expect(await signed({ ...event, more: 1 })).toMatchObject({
      value: { id: 'evt_1', update: { kind: 'other' } },
    })
    const expired = { paymentId: crypto.randomUUID(), checkoutRef: 'cs', added: { later: true } }
    expect(await signed({ ...event, type: 'checkout.expired', data: expired })).toMatchObject({
      value: { update: { kind: 'checkout_expired', checkoutRef: 'cs' } },
    })
    for (const broken of [
      null,
      {},
      { ...event, createdAt: 'yesterday' },
      { ...event, type: 'checkout.expired', data: { checkoutRef: 'cs' } },
      {
        ...event,
        type: 'refund.updated',
        data: { refundRef: 're', intentRef: 'pi', amountMicroUsd: -1, state: 'failed' },
      },
    ]) {
      expect(await signed(broken)).toEqual({ ok: false, code: 'unreadable' })
    }
  })
})
