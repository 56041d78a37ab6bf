import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Services } from '#server/context.ts'
import { createLog } from '#server/http/log.ts'
import { createLocalPayments } from '#server/payment-provider/local/adapter.ts'
import type { Payments } from '#server/payment-provider/port.ts'
import { createStripePayments } from '#server/payment-provider/stripe/adapter.ts'
import { topUpTimeoutMs } from '#server/payments/auto-top-up/auto-top-up-charge.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { receiveEvent } from '#server/payments/receive.ts'
import { systemRandom } from '#server/process/random.ts'
import { findBreaches } from '#support/books.ts'
import { startStripeApi } from '#support/stripe-api.ts'
import { stripeCards } from '#support/stripe-api-types.ts'
import { createWorld, type World } from '#support/world.ts'
import { accountsOf, spend } from './buyer.ts'
import { callOnce, runAll, topUpsOf, userOf } from './top-up-customer.ts'

type Card = 'succeeds' | 'declines_later' | 'authenticates_always'

/** A real adapter, and what its buyers do. */
interface House {
  readonly payments: Payments
  pay(url: string, card: Card): Promise<void>
  /** What was sent and is not delivered yet. */
  deliverAll(): Promise<void>
  close(): Promise<void>
}

type Receive = (body: string, signature: string) => Promise<boolean>

async function openLocal(world: World, receive: Receive): Promise<House> {
  const numbers = {
    succeeds: '4242424242424242',
    declines_later: '4000000000000341',
    authenticates_always: '4000002760003184',
  }
  const payments = createLocalPayments({
    db: world.db,
    clock: world.clock,
    random: systemRandom,
    secret: world.services.keys.payments,
    publicUrl: world.services.publicUrl,
    deliver: async ({ headers, body }) => {
      const signature = new Headers({ ...headers }).get(payments.signatureHeader)
      return (await receive(body, signature ?? '')) ? 200 : 503
    },
  })
  return {
    payments,
    pay: async (url, card) => {
      const ref = new URL(url).searchParams.get('session') ?? ''
      const typed = { number: numbers[card], expiry: '1240', code: '123' }
      const paid = await payments.hosted.pay(ref, typed, 'prompt')
      if (!paid.ok) throw new Error(paid.code)
      if (paid.value.state === 'authenticating') await payments.hosted.authenticate(ref, true)
    },
    deliverAll: async () => {
      while ((await payments.deliverDue()) > 0);
    },
    close: () => payments.stop(),
  }
}

async function openStripe(world: World, receive: Receive): Promise<House> {
  const api = await startStripeApi(() => world.clock.now())
  const tools = { clock: world.clock, random: systemRandom, log: createLog('silent') }
  return {
    payments: createStripePayments(api, tools),
    pay: async (url, card) => {
      api.account.pay(url, stripeCards[card])
    },
    deliverAll: async () => {
      for (const { body, signature } of api.takeEvents()) expect(await receive(body, signature)).toBe(true)
    },
    close: () => api.close(),
  }
}

describe.each([
  ['the local checkout', openLocal],
  ['Stripe', openStripe],
] as const)('with %s', (_, open) => {
  let world: World
  let services: Services
  let house: House
  beforeAll(async () => {
    world = await createWorld()
    house = await open(
      world,
      async (body, signature) => (await receiveEvent(services, Buffer.from(body), signature)).ok,
    )
    services = { ...world.services, payments: house.payments }
  })
  afterAll(async () => {
    await house.close()
    await world.close()
  })

  /** Somebody who bought $10 with this card and auto top-up on, and came to the mark in a call. */
  async function runLow(card: Card): Promise<string> {
    const { id } = await world.addUser()
    const purchase = { amountUsd: 10, credits: 10, referralId: null, autoTopUpEnabled: true }
    const opened = await openCheckout(services, id, purchase)
    if (!opened.ok) throw new Error(opened.code)
    await house.pay(opened.value.url, card)
    await house.deliverAll()
    await spend(world, await userOf(world, id), 8)
    await callOnce(world, id)
    return id
  }

  test('its answer and its event make one posting', async () => {
    const id = await runLow('succeeds')
    await runAll(services)
    const [topUp] = await topUpsOf(world, id)
    expect(topUp).toMatchObject({ state: 'paid', card_last4: '4242' })
    await house.deliverAll()
    expect(await accountsOf(world, topUp?.id ?? '')).toEqual({ customer: 10, payments: -10 })
    expect((await userOf(world, id)).balance).toBe(11_980_000)
    expect(await findBreaches(world.db)).toEqual([])
  })

  test('a charge whose answer and event are both lost is found before it is given up', async () => {
    const id = await runLow('succeeds')
    let asked = 0
    const deaf: Payments = {
      ...house.payments,
      chargeKeptCard: async charge => {
        asked += 1
        await house.payments.chargeKeptCard(charge)
        return { ok: false, code: 'provider_unavailable' }
      },
    }
    await runAll({ ...services, payments: deaf })
    world.clock.advance(topUpTimeoutMs)
    await runAll(services)
    const [topUp] = await topUpsOf(world, id)
    expect({ asked, topUp }).toMatchObject({ asked: 1, topUp: { state: 'paid', card_last4: '4242' } })
    expect(await accountsOf(world, topUp?.id ?? '')).toEqual({ customer: 10, payments: -10 })
    expect(await findBreaches(world.db)).toEqual([])
  })

  test.each([
    ['declines_later', 'declined'],
    ['authenticates_always', 'authentication_required'],
  ] as const)('a card that %s is refused: %s, counted once', async (card, failure) => {
    const id = await runLow(card)
    await runAll(services)
    await house.deliverAll()
    expect(await topUpsOf(world, id)).toMatchObject([{ state: 'failed', failure }])
    expect(await userOf(world, id)).toMatchObject({ auto_topup_failures: 1, balance: 1_980_000 })
    expect(await findBreaches(world.db)).toEqual([])
  })
})
