import { beforeEach, expect, test } from 'vitest'
import { defaultPaymentPolicy } from '#server/config/policy.ts'
import { inLanguage, openLanguages } from '#server/languages/languages.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { paymentsOf } from './buyer.ts'

const world = keepForFile(await createWorld())
beforeEach(() => {
  world.provider.away = 'no'
  world.provider.orders.length = 0
})

const fifty = { amountUsd: 50, credits: 52, referralId: null, autoTopUpEnabled: false }
const open = (userId: string, purchase = fifty) => openCheckout(world.services, userId, purchase)

test('writes the payment down, asks the provider with its id, and keeps what it answers', async () => {
  const { id, email } = await world.addUser()
  const opened = await open(id, { ...fifty, autoTopUpEnabled: true })
  const [order] = world.provider.orders
  expect(opened).toEqual({
    ok: true,
    value: { url: `https://pay.example/cs_${order?.paymentId}` },
  })
  expect(order).toMatchObject({
    userId: id,
    email,
    amountMicroUsd: 50_000_000,
    description: '52 Farline credits',
    purpose: 'credits',
    savesCard: true,
    customerRef: null,
    successUrl: `http://localhost:4321/call?payment=success&order=${order?.paymentId}`,
    cancelUrl: 'http://localhost:4321/buy-credits?payment=cancelled&amount=50',
  })
  expect(await paymentsOf(world, id)).toMatchObject([
    { id: order?.paymentId, state: 'open', amount_micro_usd: 50_000_000, bonus: 2_000_000, saves_card: true },
  ])
})

test('is in the language of the page that opened it, and a retry is the same', async () => {
  openLanguages()
  const { id } = await world.addUser()
  world.provider.away = 'after'
  await inLanguage('es', () => open(id))
  world.provider.away = 'no'
  await inLanguage('es', () => open(id))
  const [first, again] = world.provider.orders
  expect(again).toEqual(first)
  expect(first).toMatchObject({
    description: '52 US$ de saldo de Farline',
    successUrl: `http://localhost:4321/es/call?payment=success&order=${first?.paymentId}`,
    cancelUrl: 'http://localhost:4321/es/buy-credits?payment=cancelled&amount=50',
  })
  await inLanguage('ar', () => open(id))
  expect(await paymentsOf(world, id)).toHaveLength(2)
})

test('sells no other credits than the amount buys', async () => {
  const { id } = await world.addUser()
  expect(await open(id, { ...fifty, credits: 55 })).toEqual({ ok: false, code: 'credits_mismatch' })
  expect(await paymentsOf(world, id)).toEqual([])
})

test('two presses at once, and one a little later, lead to one checkout (REL-29)', async () => {
  const { id } = await world.addUser()
  const urls = await Promise.all([open(id), open(id), open(id)])
  world.clock.advance(60_000)
  urls.push(await open(id))
  expect(new Set(urls.map(opened => JSON.stringify(opened))).size).toBe(1)
  expect(await paymentsOf(world, id)).toHaveLength(1)
  expect(new Set(world.provider.orders.map(order => JSON.stringify(order))).size).toBe(1)
})

test('another amount, or the same much later, is another checkout', async () => {
  const { id } = await world.addUser()
  const first = await open(id)
  expect(await open(id, { ...fifty, amountUsd: 25, credits: 25 })).not.toEqual(first)
  expect(await open(id, { ...fifty, autoTopUpEnabled: !fifty.autoTopUpEnabled })).not.toEqual(first)
  world.clock.advance(10 * 60_000)
  expect(await open(id)).not.toEqual(first)
  expect(await paymentsOf(world, id)).toHaveLength(4)
})

test('one that was paid while its event is late is fulfilled, and the next press opens another', async () => {
  const { id } = await world.addUser()
  await open(id)
  const [payment] = await paymentsOf(world, id)
  world.provider.known.set(payment?.checkout_ref ?? '', {
    kind: 'paid',
    paymentId: payment?.id ?? '',
    checkoutRef: payment?.checkout_ref ?? '',
    intentRef: `pi_${payment?.id}`,
    amountMicroUsd: 50_000_000,
    card: null,
    kept: null,
  })
  world.clock.advance(1000)
  expect((await open(id)).ok).toBe(true)
  expect((await paymentsOf(world, id)).map(({ state }) => state)).toEqual(['paid', 'open'])
})

test.each(['before', 'after'] as const)(
  'a provider that fails %s it opened the checkout is asked again with the same key (REL-3, REL-15)',
  async away => {
    const { id } = await world.addUser()
    world.provider.away = away
    expect(await open(id)).toEqual({ ok: false, code: 'payments_unavailable' })
    world.provider.away = 'no'
    world.clock.advance(5000)
    const { orders } = world.provider
    const opened = await open(id)
    expect(opened.ok).toBe(true)
    expect(new Set(orders.map(order => JSON.stringify(order))).size).toBe(1)
    expect(await paymentsOf(world, id)).toHaveLength(1)
  },
)

test('a restricted account can buy nothing, even at an open checkout', async () => {
  const user = await world.addUser()
  const purchase = { amountUsd: 20, credits: 20, referralId: null, autoTopUpEnabled: false }
  expect(await openCheckout(world.services, user.id, purchase)).toMatchObject({ ok: true })
  await world.db.query(`update app_user set can_call = false, blocked_reason = 'Reported.' where id = $1`, [
    user.id,
  ])
  for (const amountUsd of [20, 25]) {
    const again = { ...purchase, amountUsd, credits: amountUsd }
    expect(await openCheckout(world.services, user.id, again)).toEqual({ ok: false, code: 'call_blocked' })
  }
})

test('limits the checkouts in an hour', async () => {
  const { id } = await world.addUser()
  const maxCheckouts = defaultPaymentPolicy.checkoutsPerHour
  for (let amountUsd = 5; amountUsd < 5 + maxCheckouts; amountUsd += 1) {
    expect((await open(id, { ...fifty, amountUsd, credits: amountUsd })).ok).toBe(true)
  }
  expect(await open(id)).toEqual({ ok: false, code: 'too_many_checkouts' })
  expect((await open((await world.addUser()).id)).ok).toBe(true)
  world.clock.advance(3600_000)
  expect((await open(id)).ok).toBe(true)
})
