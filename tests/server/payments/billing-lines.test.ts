import { expect, test } from 'vitest'
import type { BillingLine } from '#lib/api/billing.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { claimCall } from '#server/calls/settlement/credit.ts'
import { type BillingQuery, listBilling } from '#server/ledger/billing.ts'
import { listTransfers } from '#server/ledger/transfers.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from './buyer.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'
const world = keepForFile(await createWorld())
const { services, db, clock } = world

const lines = async (userId: string, query: BillingQuery = {}) =>
  (await listBilling(db, userId, query, clock.now())).lines

async function hold(userId: string, ms: number) {
  const call = await connectCall(world.control, userId, american)
  for (let passed = 0; passed < ms; passed += 30_000) {
    clock.advance(Math.min(30_000, ms - passed))
    await chargeDueMinutes(services)
  }
  return call
}

const microUsd = (usd: number | null) => Math.round((usd ?? 0) * 1_000_000)

/** Each line adds up with the next older one, and all of them with the transfers. */
async function expectTrue(userId: string, listed: readonly BillingLine[]): Promise<void> {
  const { transfers } = await listTransfers(db, userId, { limit: 500 }, clock.now())
  const sum = (of: readonly { amount: number }[]) => of.reduce((all, { amount }) => all + microUsd(amount), 0)
  expect(sum(listed)).toBe(sum(transfers))
  let older = 0
  for (const { amount, balance } of listed.toReversed()) {
    older += microUsd(amount)
    expect(microUsd(balance)).toBe(older)
  }
}

test('a call is one line, however long it was, with what it cost in the end', async () => {
  const user = await world.addUser()
  await deliver(world, (await order(world, user.id, 50)).paid())
  const { callId, end } = await hold(user.id, 150_000)
  expect((await lines(user.id))[0]).toMatchObject({
    ...{ kind: 'call', description: 'Call, in progress', amount: -0.06, balance: 51.94, payment: null },
    call: { id: callId, to: american, minutes: 3, live: true },
  })
  await end(110_000)
  const listed = await lines(user.id)
  expect(listed.map(({ kind, amount }) => [kind, amount])).toEqual([
    ['call', -0.04],
    ['bonus', 2],
    ['payment', 50],
  ])
  expect(listed[0]).toMatchObject({ description: 'Call', call: { id: callId, minutes: 2, live: false } })
  expect(listed[2]).toMatchObject({ payment: { refund: 'open' } })
  await expectTrue(user.id, listed)
})

test('a call whose answer was reported with its end is one line, too', async () => {
  const user = await world.addUser({ credit: 1 })
  const placed = await world.control.place({ userId: user.id, to: american, callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.code)
  await world.control.report({
    ...{ kind: 'ended', callId: placed.callId, answeredMs: 61_000, end: 'caller_hung_up' },
  })
  const listed = await lines(user.id)
  expect(listed.map(({ description, amount }) => [description, amount])).toEqual([
    ['Call', -0.04],
    ['Credit from support', 1],
  ])
  await expectTrue(user.id, listed)
})

test('what is refunded later has a line of its own, and a top-up in a call leaves the lines adding up', async () => {
  const user = await world.addUser({ credit: 5 })
  const { callId, end } = await hold(user.id, 61_000)
  await deliver(world, (await order(world, user.id, 10)).paid())
  clock.advance(60_000)
  await chargeDueMinutes(services)
  await end(121_000)
  await claimCall(services, user.id, callId, 'echo')
  const listed = await lines(user.id)
  expect(listed.map(({ description, amount }) => [description, amount])).toEqual([
    ['Bad call, refunded', 0.06],
    ['Credits bought', 10],
    ['Call', -0.06],
    ['Credit from support', 5],
  ])
  expect(listed[0]?.call).toEqual({ id: callId, to: american, minutes: null, live: false })
  await expectTrue(user.id, listed)
})

test('each filter lists its lines over all its pages, without balances; all of them have theirs', async () => {
  const [user, other] = [await world.addUser(), await world.addUser({ credit: 5 })]
  for (let round = 0; round < 3; round += 1) {
    const bought = await order(world, user.id, 50)
    await deliver(world, bought.paid())
    for (let nth = 0; nth < 2; nth += 1) {
      const { callId, end } = await hold(user.id, 61_000)
      await end(61_000)
      if (nth === 0) await claimCall(services, user.id, callId, 'echo')
    }
    await (await hold(other.id, 1000)).end(1000)
  }
  const every = await lines(user.id, { limit: 100 })
  await expectTrue(user.id, every)
  const kinds = {
    all: undefined,
    purchases: ['payment', 'bonus'],
    calls: ['call'],
    refunds: ['call_credit'],
  } as const
  for (const show of ['all', 'purchases', 'calls', 'refunds'] as const) {
    const found: BillingLine[] = []
    let cursor: string | undefined
    do {
      const page = await listBilling(db, user.id, { show, cursor, limit: 2 }, clock.now())
      expect(page.lines.length).toBeLessThanOrEqual(2)
      found.push(...page.lines)
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    const wanted = every.filter(({ kind }) => kinds[show]?.some(one => one === kind) ?? true)
    expect(found).toEqual(show === 'all' ? wanted : wanted.map(line => ({ ...line, balance: null })))
    expect(found.length).toBeGreaterThan(2)
  }
})

test('a cursor of another filter, or none that can be read, starts with the newest', async () => {
  const user = await world.addUser({ credit: 5 })
  for (let nth = 0; nth < 3; nth += 1) await (await hold(user.id, 1000)).end(1000)
  const { nextCursor } = await listBilling(db, user.id, { show: 'calls', limit: 1 }, clock.now())
  const first = await lines(user.id)
  expect(await lines(user.id, { cursor: nextCursor ?? '' })).toEqual(first)
  expect(await lines(user.id, { cursor: 'nonsense' })).toEqual(first)
})
