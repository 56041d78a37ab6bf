import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { fraudReason } from '#server/identity/block-reason.ts'
import { createLocalPayments } from '#server/payment-provider/local/adapter.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { openGiftCheckout } from '#server/payments/gifts/order-gift.ts'
import { applyPaymentUpdate } from '#server/payments/receive.ts'
import { repeatRefunds } from '#server/payments/refunds/refund-request.ts'
import { systemRandom } from '#server/process/random.ts'
import { openApp } from '#support/app.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, paymentsOf } from './buyer.ts'
import { deleteWithPassword, letter } from './gift-people.ts'

/** The local checkout and the money behind it, with nothing simulated but the socket between them. */
const world = keepForFile(await createWorld())
const local = createLocalPayments({
  db: world.db,
  clock: world.clock,
  random: systemRandom,
  secret: world.services.keys.payments,
  publicUrl: world.services.publicUrl,
  deliver: async ({ url, headers, body }) => {
    const answer = await app.inject({
      method: 'POST',
      url: new URL(url).pathname,
      headers: { ...headers },
      payload: body,
    })
    return answer.statusCode
  },
})
// Everybody here pays with the same test cards.
const paymentPolicy = { ...world.services.paymentPolicy, accountsPerCard: 1000 }
const services = { ...world.services, payments: local, paymentPolicy }
const app = await openApp({
  services,
  hostedCheckout: local.hosted,
})
afterAll(() => app.close())

type Delivery = 'prompt' | 'twice' | 'late' | 'out_of_order'

async function buy(userId: string, delivery: Delivery, number = '4242424242424242'): Promise<string> {
  const opened = await openCheckout(services, userId, {
    amountUsd: 50,
    credits: 52,
    referralId: null,
    autoTopUpEnabled: true,
  })
  if (!opened.ok) throw new Error(opened.code)
  const ref = new URL(opened.value.url).searchParams.get('session') ?? ''
  const card = { number, expiry: '1230', code: '123' }
  const paid = await app.inject({
    method: 'POST',
    url: `/dev/checkout/sessions/${ref}/pay`,
    payload: { ...card, delivery },
  })
  expect(paid.statusCode).toBe(200)
  return ref
}

async function deliverAll(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    world.clock.advance(30_000)
    await local.deliverDue()
  }
}

test.each(['prompt', 'twice', 'late', 'out_of_order'] as const)(
  'events that come %s bring the credits once',
  async delivery => {
    const { id } = await world.addUser()
    await buy(id, delivery)
    const [before] = await paymentsOf(world, id)
    expect(before?.state).toBe('open')
    await deliverAll()
    const [payment] = await paymentsOf(world, id)
    expect(payment).toMatchObject({ state: 'paid', card_brand: 'visa', card_last4: '4242', failure: null })
    expect(await accountState(world, id)).toMatchObject({ balance: 52 })
    const cards = await world.db.query('select last4 from saved_card where user_id = $1', [id])
    expect(cards).toEqual([{ last4: '4242' }])
  },
)

test('a refund and a dispute that overtake their payment wait for it', async () => {
  const { id } = await world.addUser()
  await buy(id, 'late')
  const [intent] = await world.db.query<{ ref: string }>(
    'select i.ref from local_intent i join payment on payment.id = i.payment_id where payment.user_id = $1',
    [id],
  )
  const intentRef = intent?.ref ?? ''
  expect((await local.refund({ intentRef, amountMicroUsd: 20_000_000, key: randomUUID() })).ok).toBe(true)
  const dispute = await local.openDispute(intentRef)
  await local.deliverDue()
  expect(await accountState(world, id)).toMatchObject({ balance: 0, canCall: true })
  await deliverAll()
  const [payment] = await paymentsOf(world, id)
  expect(payment).toMatchObject({ state: 'paid', refunded: 20_000_000 })
  expect(await accountState(world, id)).toMatchObject({ balance: 0, canCall: false })
  await local.closeDispute(dispute, 'won')
  await deliverAll()
  expect(await accountState(world, id)).toMatchObject({ balance: 31.2, canCall: true })
  expect(await accountsOf(world, payment?.id ?? '')).toEqual({
    customer: 31.2,
    payments: -30,
    promotions: -1.2,
  })
})

test.each(['prompt', 'twice', 'late', 'out_of_order'] as const)(
  'a payment that the bank reports as fraud goes back, its events coming %s, and the account is restricted',
  async delivery => {
    const { id } = await world.addUser()
    await buy(id, delivery, '4000000000005423')
    await deliverAll()
    expect(await repeatRefunds(services)).toBe(1)
    await deliverAll()
    const [payment] = await paymentsOf(world, id)
    expect(payment).toMatchObject({ state: 'paid', refunded: 50_000_000 })
    expect(await accountState(world, id)).toEqual({ balance: 0, canCall: false, reason: fraudReason })
    expect(await accountsOf(world, payment?.id ?? '')).toEqual({})
  },
)

test.each(['prompt', 'twice', 'late', 'out_of_order'] as const)(
  'a booklet that is paid after its buyer has left is refunded once, its events coming %s',
  async delivery => {
    const { id, email } = await world.addUser()
    const opened = await openGiftCheckout(services, id, letter)
    if (!opened.ok) throw new Error(opened.code)
    const checkoutRef = new URL(opened.value.url).searchParams.get('session') ?? ''
    const [ordered] = await paymentsOf(world, id)
    const paymentId = ordered?.id ?? ''
    // Its buyer may leave, because it has expired as far as we know.
    await applyPaymentUpdate(services, { kind: 'checkout_expired', paymentId, checkoutRef })
    expect(await deleteWithPassword(world, id, email)).toMatchObject({ ok: true })
    await local.hosted.pay(checkoutRef, { number: '4242424242424242', expiry: '1230', code: '123' }, delivery)
    await local.hosted.authenticate(checkoutRef, true)
    await deliverAll()
    expect(await repeatRefunds(services)).toBe(1)
    await deliverAll()
    expect(await repeatRefunds(services)).toBe(0)
    expect(await paymentsOf(world, id)).toMatchObject([{ state: 'paid', refunded: 10_000_000 }])
    expect(await accountsOf(world, paymentId)).toEqual({})
    expect(await findBreaches(world.db)).toEqual([])
  },
)
