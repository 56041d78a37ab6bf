import { afterEach, describe, expect, test } from 'vitest'
import type { UserRow } from '#server/identity/users.ts'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import type { Observation } from '#server/observability/port.ts'
import { offerRefund, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'
import { accountState, accountsOf, cardOf, deliver, type Order, order, visa } from './buyer.ts'
import { giftOf, orderGift } from './gift-people.ts'
import { code, endRefunds, operator } from './refund-customer.ts'

/** What users may have refunded without a person who looks at it: the provider keeps its fee (ADR-77). */

const dayMs = 24 * 3600_000
const world = keepForFile(await createWorld())
const seen: Observation[] = []
const services = {
  ...world.services,
  policy: {
    ...world.services.policy,
    budgets: { ...world.services.policy.budgets, refund: defaultBudgets.refund },
  },
  observe: (one: Observation) => seen.push(one),
}
afterEach(async () => {
  endRefunds(world)
  seen.length = 0
  // A day and month of its own for each test.
  world.clock.advance(31 * dayMs)
  expect(await findBreaches(world.db)).toEqual([])
})

const offered = (user: UserRow, one: Order) => offerRefund(services, user.id, one.id)
const asked = (user: UserRow, one: Order, usd: number) => requestRefund(services, user.id, one.id, usd)
const refusedPer = () => seen.flatMap(one => (one.kind === 'budget_refused' ? [one.per] : []))

async function pay(user: UserRow, usd: number, card = cardOf(user.id)): Promise<Order> {
  const one = await order(world, user.id, usd)
  await deliver(world, one.paid({ card }))
  return one
}

test('an account has $500 refunded in 30 days; beyond it an operator decides, and the credits stay', async () => {
  const user = await world.addUser()
  const kept: Order[] = []
  for (let n = 0; n < 5; n += 1) {
    const one = await pay(user, 100)
    const isBeyond = n === 4
    kept.push(one)
    if (!isBeyond) expect(code(await asked(user, one, 100))).toBe('ok')
    world.clock.advance(dayMs)
  }
  const [last] = kept.slice(-1)
  if (last === undefined) throw new Error('nothing was bought')
  expect(code(await asked(user, last, 100))).toBe('ok')
  const beyond = await pay(user, 5)
  expect(code(await offered(user, beyond))).toBe('refund_limit')
  expect(code(await asked(user, beyond, 5))).toBe('refund_limit')
  expect(refusedPer()).toEqual(['account'])
  expect(await accountState(world, user.id)).toMatchObject({ balance: 5 })
  expect(await accountsOf(world, beyond.id)).toEqual({ customer: 5, payments: -5 })
  expect(world.provider.refunds).toHaveLength(5)
  // What an operator refunds is not counted, and not refused.
  expect(code(await operator(world, beyond, services.random.uuid(), 5))).toBe('ok')
  const later = await pay(user, 5)
  world.clock.advance(25 * dayMs + 1)
  expect(code(await offered(user, await pay(user, 5)))).toBe('ok')
  expect(code(await offered(user, later))).toBe('too_late')
})

test('a card has the same for all its accounts, whether they ask one after the other or at once', async () => {
  const card = { ...visa, fingerprint: 'fp-refunded' }
  const people = await Promise.all([world.addUser(), world.addUser(), world.addUser()])
  const bought = []
  for (const user of people) bought.push({ user, one: await pay(user, 300, card) })
  const answers = await Promise.all(bought.map(({ user, one }) => asked(user, one, 300)))
  expect(answers.map(code).sort()).toEqual(['ok', 'refund_limit', 'refund_limit'])
  expect(refusedPer()).toEqual(['card', 'card'])
  expect(world.provider.refunds).toHaveLength(1)
  for (const [n, { user }] of bought.entries()) {
    const isRefunded = answers[n]?.ok === true
    expect(await accountState(world, user.id)).toMatchObject({ balance: isRefunded ? 0 : 330 })
  }
})

test('everyone together has $2,000 a day', async () => {
  for (let n = 0; n < 4; n += 1) {
    const user = await world.addUser()
    expect(code(await asked(user, await pay(user, 500), 500))).toBe('ok')
  }
  const user = await world.addUser()
  const one = await pay(user, 5)
  expect(code(await asked(user, one, 5))).toBe('refund_limit')
  expect(refusedPer()).toEqual(['everyone'])
  world.clock.advance(dayMs)
  expect(code(await asked(user, one, 5))).toBe('ok')
})

test('a refund that the provider rejects takes nothing of the budget', async () => {
  const user = await world.addUser()
  const one = await pay(user, 500)
  world.provider.refunding = 'refused'
  for (let n = 0; n < 3; n += 1) expect(code(await asked(user, one, 500))).toBe('refund_refused')
  world.provider.refunding = 'succeeded'
  expect(code(await asked(user, one, 500))).toBe('ok')
  world.clock.advance(dayMs)
  expect(code(await asked(user, await pay(user, 5), 5))).toBe('refund_limit')
})

describe('a payment under review', () => {
  test('is refunded by an operator alone, whether part of it waits or all', async () => {
    const user = await world.addUser()
    const one = await pay(user, 600)
    expect(code(await offered(user, one))).toBe('under_review')
    expect(code(await asked(user, one, 600))).toBe('under_review')
    expect(await accountsOf(world, one.id)).toEqual({ customer: 500, payments: -600, unreleased: 100 })
    expect(world.provider.refunds).toEqual([])
    expect(code(await operator(world, one, services.random.uuid(), 600))).toBe('ok')
    expect(await accountsOf(world, one.id)).toEqual({})
  })

  test('also as a booklet, which then is nobody’s', async () => {
    const ana = await world.addUser()
    await pay(ana, 500)
    const one = await orderGift(world, ana.id)
    await deliver(world, one.paid())
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'in_review' })
    expect(code(await asked(ana, one, 10))).toBe('under_review')
    expect(code(await operator(world, one, services.random.uuid(), 10))).toBe('ok')
    expect(await giftOf(world, ana.id, one.id)).toMatchObject({ state: 'refunded' })
  })
})
