import { afterEach, describe, expect, test } from 'vitest'
import { creditsForUsd } from '#lib/money/credits.ts'
import { restrictAccount } from '#server/admin/restrict.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { fraudReason } from '#server/identity/block-reason.ts'
import type { UserRow } from '#server/identity/users.ts'
import { startRequestedTopUps } from '#server/payments/auto-top-up/auto-top-up.ts'
import { openCheckout } from '#server/payments/checkout.ts'
import { repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { releasePayment } from '#server/payments/release.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, deliver, type Order, order, paymentsOf, spend, visa } from './buyer.ts'
import { operator } from './refund-customer.ts'

/** ADR-50. */

const world = keepForFile(await createWorld())
afterEach(async () => {
  world.provider.refunding = 'succeeded'
  world.provider.refunds.length = 0
  await reconcileCalls(world.services, 0)
})

const dayMs = 24 * 3600_000
let cards = 0
const newCard = () => ({ ...visa, fingerprint: `fp-shared-${++cards}` })
type Card = ReturnType<typeof newCard>

async function pay(user: UserRow, usd: number, card: Card, savesCard = false) {
  const one = await order(world, user.id, usd, savesCard)
  expect(await deliver(world, one.paid({ card }))).toMatchObject({ ok: true })
  world.clock.advance(1)
  return one
}
const balanceOf = async (user: UserRow) => (await accountState(world, user.id)).balance
const heldOf = async (user: UserRow) =>
  (await paymentsOf(world, user.id)).map(({ held, held_for }) => [held / 1_000_000, held_for])

describe('a card that pays for many accounts', () => {
  /** Three accounts that paid with one card, which is as many as may, and a fourth that has not yet. */
  async function fourPeople() {
    const card = newCard()
    const people = [await world.addUser(), await world.addUser(), await world.addUser()] as const
    for (const user of people) await pay(user, 50, card)
    return { card, people, fourth: await world.addUser() }
  }

  test('is looked at from the fourth account on: all of its payment waits, and the receipt says why', async () => {
    const { card, people, fourth } = await fourPeople()
    for (const user of people) expect(await heldOf(user)).toEqual([[0, null]])
    const one = await pay(fourth, 50, card)
    expect(await heldOf(fourth)).toEqual([[50, 'card']])
    expect(await balanceOf(fourth)).toBe(0)
    expect(await accountsOf(world, one.id)).toEqual({ payments: -50, unreleased: 50 })
    const [mail] = await world.db.query<{ text: string }>(
      `select data ->> 'text' as text from job where key = 'mail:receipt:' || $1`,
      [one.id],
    )
    expect(mail?.text).toContain('This card has paid for several accounts lately')
    // What waits is nobody's to use, and an operator refunds it.
    expect(await requestRefund(world.services, fourth.id, one.id, 50)).toMatchObject({ code: 'under_review' })
    expect(await operator(world, one, world.services.random.uuid(), 50)).toMatchObject({ ok: true })
    expect(await accountsOf(world, one.id)).toEqual({})
  })

  test('pays on for the accounts that were first, and for one whose payment an operator released', async () => {
    const { card, people, fourth } = await fourPeople()
    const one = await pay(fourth, 50, card)
    await pay(people[0], 10, card)
    await pay(people[2], 10, card)
    expect(await heldOf(people[0])).toEqual([
      [0, null],
      [0, null],
    ])
    expect(await balanceOf(people[2])).toBe(62)
    const released = await releasePayment(world.services, one.id, { actor: 'test', reason: 'a family' })
    expect(released).toMatchObject({ ok: true, value: 52_000_000 })
    await pay(fourth, 10, card)
    expect(await balanceOf(fourth)).toBe(62)
  })

  test('is forgotten 30 days after it was last used', async () => {
    const { card, fourth } = await fourPeople()
    world.clock.advance(30 * dayMs)
    await pay(fourth, 50, card)
    expect(await balanceOf(fourth)).toBe(52)
  })

  test('is remembered when the accounts are deleted meanwhile, and another card is not meant', async () => {
    const { card, people, fourth } = await fourPeople()
    await world.db.query('update payment set card_fingerprint = null where user_id = any($1::uuid[])', [
      people.map(({ id }) => id),
    ])
    await pay(fourth, 50, newCard())
    await pay(fourth, 5, card)
    expect(await heldOf(fourth)).toEqual([
      [0, null],
      [5, 'card'],
    ])
  })

  test('is not passed by paying at once', async () => {
    const card = newCard()
    const orders = []
    for (let n = 0; n < 6; n += 1) orders.push(await order(world, (await world.addUser()).id, 10))
    await Promise.all(orders.map(one => deliver(world, one.paid({ card }))))
    const [row] = await world.db.query<{ held: number }>(
      'select count(*)::int as held from payment where id = any($1::uuid[]) and held > 0',
      [orders.map(({ id }) => id)],
    )
    expect(row?.held).toBe(3)
  })

  test('is not charged by auto top-up for an account whose payments wait', async () => {
    const { card, fourth } = await fourPeople()
    await pay(fourth, 50, card, true)
    await world.db.query('insert into auto_topup_wish (account_id, wished_at) values ($1, $2)', [
      fourth.account_id,
      world.clock.now(),
    ])
    expect(await startRequestedTopUps(world.services)).toBe(1)
    expect(await paymentsOf(world, fourth.id)).toHaveLength(1)
  })
})

describe('a payment that the bank reports as fraud', () => {
  /** What the provider was asked to refund of a payment, micro-dollars. */
  const refundsOf = ({ intentRef }: Order) =>
    world.provider.refunds.filter(one => one.intentRef === intentRef).map(one => one.amountMicroUsd)

  async function reported(usd: number) {
    const user = await world.addUser()
    const one = await pay(user, usd, newCard())
    return { user, one }
  }

  test('is clawed back whole, with its bonus, and the account cannot call; reported again it changes nothing', async () => {
    const { user, one } = await reported(50)
    await deliver(world, one.reported())
    expect(await accountState(world, user.id)).toEqual({ balance: 0, canCall: false, reason: fraudReason })
    expect(await accountsOf(world, one.id)).toEqual({})
    // By the worker's next turn.
    expect(await repeatRefunds(world.services)).toBe(1)
    expect(refundsOf(one)).toEqual([50_000_000])
    await deliver(world, one.reported())
    await deliver(world, one.reported(`issfr_other_${one.id}`))
    world.clock.advance(60_000)
    expect(await repeatRefunds(world.services)).toBe(0)
    expect(refundsOf(one)).toHaveLength(1)
    const mails = await world.db.query<{ subject: string }>(
      `select data ->> 'subject' as subject from job where data ->> 'to' = $1 and key like 'mail:%fraud%'`,
      [user.email],
    )
    expect(mails).toEqual([{ subject: 'We refunded your payment of $50.00' }])
    const placed = await world.control.place({ userId: user.id, to: '+12125550100', callerId: undefined })
    expect(placed).toMatchObject({ kind: 'refuse', code: 'call_blocked' })
  })

  test('hangs up the running call within a heartbeat', async () => {
    const { user, one } = await reported(10)
    const call = await connectCall(world.control, user.id, '+12125550100')
    await deliver(world, one.reported())
    await recordHeartbeats(world.services, [call.callId])
    expect(world.network.hungUp).toContain(call.callId)
    await call.end(1000)
  })

  test('is our loss as far as it was used, and never a debt', async () => {
    const { user, one } = await reported(10)
    await spend(world, user, 4)
    await deliver(world, one.reported())
    await repeatRefunds(world.services)
    expect(refundsOf(one)).toEqual([10_000_000])
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
    expect(await accountsOf(world, one.id)).toEqual({ customer: 4, dispute_losses: -4 })
  })

  test('goes back from what waits for a review', async () => {
    const { user, one } = await reported(600)
    await deliver(world, one.reported())
    expect(await accountsOf(world, one.id)).toEqual({})
    expect(await accountState(world, user.id)).toMatchObject({ balance: 0 })
  })

  test('that cannot be refunded leaves the credits, and the account cannot call', async () => {
    const { user, one } = await reported(10)
    world.provider.refunding = 'refused'
    await deliver(world, one.reported())
    await repeatRefunds(world.services)
    expect(await accountState(world, user.id)).toMatchObject({ balance: 10, canCall: false })
  })

  test('lets its account call once an operator does, however often the bank repeats it', async () => {
    const { user, one } = await reported(10)
    await deliver(world, one.reported())
    world.clock.advance(1)
    const unblock = { email: user.email, reason: 'it was their own', actor: 'test' }
    expect(await restrictAccount(world.services, 'unblock', unblock)).toMatchObject({ ok: true })
    world.clock.advance(1)
    await deliver(world, one.reported())
    expect(await accountState(world, user.id)).toMatchObject({ canCall: true, reason: null })
  })

  test('stays blocked when a dispute of another payment is won', async () => {
    const { user, one } = await reported(10)
    const other = await pay(user, 10, newCard())
    await deliver(world, other.dispute(10))
    await deliver(world, one.reported())
    await deliver(world, other.dispute(10, 'won'))
    expect(await accountState(world, user.id)).toMatchObject({ canCall: false, reason: fraudReason })
  })
})

describe('3-D Secure', () => {
  const asked = async (user: UserRow, usd: number) => {
    const purchase = {
      amountUsd: usd,
      credits: creditsForUsd(usd),
      referralId: null,
      autoTopUpEnabled: false,
    }
    expect(await openCheckout(world.services, user.id, purchase)).toMatchObject({ ok: true })
    return world.provider.orders.at(-1)?.authenticate
  }

  test('is asked for until a payment has succeeded and remains', async () => {
    const user = await world.addUser()
    expect(await asked(user, 11)).toBe(true)
    const one = await pay(user, 10, newCard())
    expect(await asked(user, 12)).toBe(false)
    await deliver(world, one.refund(10))
    expect(await asked(user, 13)).toBe(true)
  })

  test('is asked for as before when a checkout is asked for again after a first payment', async () => {
    const user = await world.addUser()
    world.provider.away = 'after'
    const purchase = { amountUsd: 14, credits: 14, referralId: null, autoTopUpEnabled: false }
    expect(await openCheckout(world.services, user.id, purchase)).toMatchObject({ ok: false })
    world.provider.away = 'no'
    await pay(user, 10, newCard())
    expect(await openCheckout(world.services, user.id, purchase)).toMatchObject({ ok: true })
    const orders = world.provider.orders.filter(({ amountMicroUsd }) => amountMicroUsd === 14_000_000)
    expect(orders).toHaveLength(2)
    expect(orders[0]).toEqual(orders[1])
  })
})
