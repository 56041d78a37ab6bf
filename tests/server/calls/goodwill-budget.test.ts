import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { defaultCallCreditTerms } from '#server/config/policy.ts'
import type { UserRow } from '#server/identity/users.ts'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import type { Observation } from '#server/observability/port.ts'
import { findBreaches } from '#support/books.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { accountState, cardOf, deliver, order, visa } from '../payments/buyer.ts'
import { buyGift, redeem } from '../payments/gift-people.ts'

/** Credits for bad calls of many accounts do not add up: what callers can bring about has a budget of money (ADR-77). */

const dayMs = 24 * 3600_000
/** 1.14 USD a minute. */
const expensive = '+5353123456'

const world = keepForFile(await createWorld())
const seen: Observation[] = []
const { policy } = world.services
const services = {
  ...world.services,
  policy: {
    ...policy,
    credit: { ...defaultCallCreditTerms, maxAutomatic: 100, maxClaims: 100, maxRestarts: 100 },
    budgets: { ...policy.budgets, goodwill: defaultBudgets.goodwill },
  },
  observe: (one: Observation) => seen.push(one),
}
const control = createCallControl(services)
const balanced = async () => expect(await findBreaches(world.db)).toEqual([])
afterEach(async () => {
  seen.length = 0
  world.clock.advance(31 * dayMs)
  await balanced()
})

let networks = 0
/** Somebody who paid, on a network of their own. */
async function customer(usd: number, card?: ReturnType<typeof cardOf>): Promise<UserRow> {
  const user = await world.addUser()
  networks += 1
  await noteOrigin(services, user.id, { address: `198.51.${networks}.7`, device: user.id })
  const one = await order(world, user.id, usd)
  await deliver(world, one.paid({ card: card ?? cardOf(user.id) }))
  return user
}

/** A call of so many seconds, for one minute's price. */
async function call(user: UserRow, seconds: number): Promise<string> {
  const { callId, end } = await connectCall(control, user.id, expensive)
  await end(seconds * 1000)
  return callId
}

const balanceOf = async ({ id }: UserRow) => (await accountState(world, id)).balance
const refusedPer = () => seen.flatMap(one => (one.kind === 'budget_refused' ? [one.per] : []))

/** Short calls until one is not credited. @returns how many were */
async function creditedCalls(user: UserRow): Promise<number> {
  for (let credited = 0; ; credited += 1) {
    const before = await balanceOf(user)
    await call(user, 5)
    if ((await balanceOf(user)) < before) return credited
  }
}

test('a mailbox has $8 in 30 days, whatever its accounts; then calls cost, and a claim says who decides', async () => {
  const user = await customer(20)
  expect(await creditedCalls(user)).toBe(7)
  const other = await customer(20)
  await world.db.query('update app_user set email = $2 where id = $1', [
    other.id,
    user.email.replace('@', '+other@'),
  ])
  const callId = await call(other, 60)
  const before = await balanceOf(other)
  expect(await claimCall(services, other.id, callId, 'echo')).toEqual({ ok: false, code: 'claim_budget' })
  expect(await balanceOf(other)).toBe(before)
  expect(new Set(refusedPer())).toEqual(new Set(['mailbox']))
  world.clock.advance(30 * dayMs)
  expect(await claimCall(services, other.id, await call(other, 60), 'echo')).toMatchObject({ ok: true })
})

test('a card has the same for all that it paid for, also by a booklet', async () => {
  const card = { ...visa, fingerprint: 'fp-goodwill' }
  const [first, second] = [await customer(20, card), await customer(20, card)]
  for (let n = 0; n < 4; n += 1) await call(first, 5)
  expect(await balanceOf(first)).toBe(20)
  expect(await creditedCalls(second)).toBe(3)
  const ana = await world.addUser()
  await deliver(world, (await order(world, ana.id, 5)).paid({ card }))
  const { order: booklet, code } = await buyGift(world, ana, { amountUsd: 10 })
  await world.db.query('update payment set card_fingerprint = $2 where id = $1', [
    booklet.id,
    card.fingerprint,
  ])
  const mum = await world.addUser()
  expect(await redeem(world, mum.id, code)).toMatchObject({ ok: true })
  expect(await creditedCalls(mum)).toBe(0)
  expect(new Set(refusedPer())).toEqual(new Set(['card']))
})

test('a network has $12 a day, and everyone $50, whatever their cards and mailboxes', async () => {
  const [first, second] = [await customer(20), await customer(20)]
  for (const { id } of [first, second])
    await noteOrigin(services, id, { address: `203.0.113.${id === first.id ? 1 : 2}`, device: id })
  expect((await creditedCalls(first)) + (await creditedCalls(second))).toBe(10)
  expect(refusedPer()).toEqual(['mailbox', 'network'])
  world.clock.advance(dayMs)
  let credited = 0
  while (!refusedPer().includes('everyone')) credited += await creditedCalls(await customer(20))
  expect(credited).toBe(43)
})

test('many calls at once do not exceed it', async () => {
  const calls = []
  for (let n = 0; n < 14; n += 1) {
    const user = await customer(5)
    await noteOrigin(services, user.id, { address: `192.0.2.${n}`, device: user.id })
    calls.push({ user, callId: await call(user, 60) })
  }
  const claims = await Promise.all(
    calls.map(({ user, callId }) => claimCall(services, user.id, callId, 'echo')),
  )
  expect(claims.filter(({ ok }) => ok)).toHaveLength(12)
  const [{ given } = { given: 0 }] = await world.db.query<{ given: number }>(
    'select sum(amount)::bigint as given from call_credit where call_id = any($1::uuid[])',
    [calls.map(({ callId }) => callId)],
  )
  expect(given).toBe(12_000_000)
})

test('what our restart cut is credited whatever was credited before', async () => {
  const user = await customer(20)
  await creditedCalls(user)
  const before = await balanceOf(user)
  const { callId } = await connectCall(control, user.id, expensive)
  await control.report({ kind: 'ended', callId, answeredMs: 30_000, end: 'server_stopping' })
  expect(await balanceOf(user)).toBe(before)
})
