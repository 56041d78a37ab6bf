import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { findCall } from '#server/calls/history/history.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { changeCaps, findSpending, lockCountries } from '#server/calls/placing/spending.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { findUser } from '#server/identity/users.ts'
import { post } from '#server/ledger/ledger.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

/** 0.02 USD a minute. */
const american = '+12125550142'
const otherAmerican = '+12125550143'
const minuteMs = 60_000

/** As the world's, with two calls at once. */
const world = keepForFile(await createWorld())
const services = { ...world.services, policy: widePolicy({ concurrentCalls: 2 }) }
afterEach(() => reconcileCalls(world.services, 0))

const place = (userId: string, to = american) =>
  createCallControl(services).place({ userId, to, callerId: undefined })
const connect = (userId: string, to = american) => connectCall(createCallControl(services), userId, to)
const recordOf = async (userId: string, callId: string) => findCall(world.db, userId, callId)

/** They pay so much, which is on their balance at once. */
const topUp = async (userId: string, usd: number) => deliver(world, (await order(world, userId, usd)).paid())

const removeCredits = (accountId: number, microUsd: number) =>
  world.db.transaction(tx =>
    post(tx, {
      key: `adjustment:${services.random.uuid()}`,
      debit: accountId,
      credit: 'adjustments',
      amountMicroUsd: microUsd,
      at: world.clock.now(),
    }),
  )

/** Advances the clock, and lets the meter charge what is due. */
async function pass(ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= minuteMs) {
    world.clock.advance(Math.min(left, minuteMs))
    await chargeDueMinutes(services)
  }
}

test('a call lasts as long as the cap per call covers, in whole minutes, and says that the cap ended it', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: 0.05, perMonth: null })
  const call = await connect(user.id)
  expect(call.limitMs).toBe(2 * minuteMs)
  await pass(5 * minuteMs)
  await call.end(5 * minuteMs, 'limit')
  expect(await recordOf(user.id, call.callId)).toMatchObject({ cost: 0.04, outcome: 'limit', cap: 'call' })
})

test('a call that the credit ends does not speak of a cap', async () => {
  const user = await world.addUser({ credit: 0.04 })
  await changeCaps(services, user.id, { perCall: 0.06, perMonth: null })
  const call = await connect(user.id)
  expect(call.limitMs).toBe(2 * minuteMs)
  await call.end(2 * minuteMs, 'limit')
  expect(await recordOf(user.id, call.callId)).not.toHaveProperty('cap')
})

test('a capped call whose credit was clawed back meanwhile ends for lack of credit', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: 0.1, perMonth: null })
  const call = await connect(user.id)
  await removeCredits(user.account_id, 9_960_000)
  await pass(3 * minuteMs)
  await call.end(3 * minuteMs, 'limit')
  expect(await recordOf(user.id, call.callId)).toMatchObject({ outcome: 'limit', cost: 0.04 })
  expect(await recordOf(user.id, call.callId)).not.toHaveProperty('cap')
})

test('rejects a number whose minute the cap does not cover with both figures', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: 0.01, perMonth: null })
  expect(await place(user.id)).toEqual({
    kind: 'refuse',
    code: 'call_cap',
    message: 'Your limit per call is $0.01; a minute is $0.02. Change it in your profile.',
  })
})

test('a cap does not hold the free call, which costs nothing and counts nothing', async () => {
  const user = await world.addUser({ freeCall: 'available' })
  await changeCaps(services, user.id, { perCall: 0.01, perMonth: 0.01 })
  const call = await connect(user.id)
  expect(call.limitMs).toBe(5 * minuteMs)
  await call.end(3 * minuteMs)
  expect(await findSpending(services, user.id)).toMatchObject({ spentThisMonth: 0, leftThisMonth: 0.01 })
})

test('a top-up in the call lengthens it to the cap and no further', async () => {
  const user = await world.addUser({ credit: 0.04 })
  await changeCaps(services, user.id, { perCall: 0.1, perMonth: null })
  const call = await connect(user.id)
  expect(call.limitMs).toBe(2 * minuteMs)
  await topUp(user.id, 5)
  expect(world.network.limits.findLast(({ callId }) => callId === call.callId)?.limitMs).toBe(5 * minuteMs)
  await topUp(user.id, 5)
  expect(world.network.limits.filter(({ callId }) => callId === call.callId)).toHaveLength(1)
  await pass(8 * minuteMs)
  await call.end(8 * minuteMs, 'limit')
  expect(await recordOf(user.id, call.callId)).toMatchObject({ cost: 0.1, cap: 'call' })
})

test('where the credit and the cap cover equally much, a top-up leaves the cap as what ends the call', async () => {
  const user = await world.addUser({ credit: 0.04 })
  await changeCaps(services, user.id, { perCall: 0.04, perMonth: null })
  const call = await connect(user.id)
  await topUp(user.id, 5)
  await call.end(2 * minuteMs, 'limit')
  expect(await recordOf(user.id, call.callId)).toMatchObject({ cap: 'call', cost: 0.04 })
})

test('a top-up in a call that reaches as far as any may leaves the longest call as what ends it', async () => {
  const user = await world.addUser({ credit: 1.2 })
  const call = await connect(user.id)
  expect(call.limitMs).toBe(60 * minuteMs)
  await topUp(user.id, 5)
  await pass(60 * minuteMs)
  await call.end(60 * minuteMs, 'limit')
  expect(await recordOf(user.id, call.callId)).toMatchObject({ cap: 'longest', cost: 1.2 })
})

test('a cap that is lowered counts from the next call, and one that is raised lengthens this one', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: 0.1, perMonth: null })
  const call = await connect(user.id)
  await changeCaps(services, user.id, { perCall: 0.04, perMonth: null })
  expect(world.network.limits.filter(({ callId }) => callId === call.callId)).toEqual([])
  await changeCaps(services, user.id, { perCall: 0.2, perMonth: null })
  expect(world.network.limits.findLast(({ callId }) => callId === call.callId)?.limitMs).toBe(10 * minuteMs)
  await changeCaps(services, user.id, { perCall: null, perMonth: null })
  expect(world.network.limits.findLast(({ callId }) => callId === call.callId)?.limitMs).toBe(60 * minuteMs)
  await call.end(1000)
})

test('two calls at once never spend more than the month has left', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: 0.06, perMonth: 0.1 })
  const [first, second] = [await connect(user.id), await connect(user.id, otherAmerican)]
  expect([first.limitMs, second.limitMs]).toEqual([3 * minuteMs, 2 * minuteMs])
  await first.end(3 * minuteMs, 'limit')
  // The second holds all that is left, and may still leave some.
  expect(await place(user.id)).toMatchObject({
    kind: 'refuse',
    message: 'Your other call may use up your monthly limit. Hang up there first.',
  })
  await second.end(2 * minuteMs, 'limit')
  expect(await recordOf(user.id, second.callId)).toMatchObject({ cap: 'month', cost: 0.04 })
  expect(await findSpending(services, user.id)).toMatchObject({ spentThisMonth: 0.1, leftThisMonth: 0 })
  expect(await place(user.id)).toEqual({
    kind: 'refuse',
    code: 'month_cap',
    message: "You've reached your monthly limit. Change it in your profile.",
  })
})

test('calls placed at the same moment share what the month has left', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: null, perMonth: 0.06 })
  const placed = await Promise.all([place(user.id), place(user.id, otherAmerican), place(user.id)])
  const limits = placed.flatMap(answer => (answer.kind === 'connect' ? [answer.limitMs] : []))
  expect(limits).toEqual([3 * minuteMs])
})

test('rejects a minute that the month leaves no room for with what is left', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: null, perMonth: 0.03 })
  await (await connect(user.id)).end(1000)
  expect(await place(user.id)).toMatchObject({
    message: 'Monthly limit: $0.01 left; a minute is $0.02. Change it in your profile.',
  })
})

test('a new month, of UTC, begins with nothing spent; a call across its start belongs to the old one', async () => {
  const user = await world.addUser({ credit: 10 })
  await changeCaps(services, user.id, { perCall: null, perMonth: 0.1 })
  const until = Date.parse((await findSpending(services, user.id)).monthEndsAt)
  world.clock.advance(until - world.clock.now().getTime() - minuteMs)
  const call = await connect(user.id)
  expect(call.limitMs).toBe(5 * minuteMs)
  await pass(2 * minuteMs)
  expect(await findSpending(services, user.id)).toMatchObject({ spentThisMonth: 0, leftThisMonth: 0.1 })
  const next = await connect(user.id, otherAmerican)
  expect(next.limitMs).toBe(5 * minuteMs)
  // The old month's cap still holds the old month's call.
  await topUp(user.id, 5)
  expect(world.network.limits.filter(({ callId }) => callId === call.callId)).toEqual([])
  await call.end(5 * minuteMs, 'limit')
  await next.end(1000)
  expect(await findSpending(services, user.id)).toMatchObject({ spentThisMonth: 0.02 })
})

test('a locked country is not called, whatever would pay for it, and is again once unlocked', async () => {
  const user = await world.addUser({ credit: 10, freeCall: 'available' })
  await lockCountries(services, user.id, { lock: ['US', 'CU', 'US'], unlock: [] })
  expect((await findSpending(services, user.id)).locked).toEqual(['CU', 'US'])
  expect(await place(user.id)).toEqual({
    kind: 'refuse',
    code: 'destination_locked',
    message: "You've locked calls to the United States. Unlock it in your profile.",
  })
  // Canada shares the dial code: the number decides.
  expect(await place(user.id, '+14165550142')).toMatchObject({ kind: 'connect' })
  await lockCountries(services, user.id, { lock: ['CU'], unlock: ['US', 'IN', 'CU'] })
  expect(await place(user.id)).toMatchObject({ kind: 'connect' })
})

test('a page that was opened before another changed something undoes none of it', async () => {
  const user = await world.addUser({ credit: 1 })
  await changeCaps(services, user.id, { perCall: 1 })
  await changeCaps(services, user.id, { perMonth: 2 })
  await lockCountries(services, user.id, { lock: ['IN'], unlock: [] })
  await lockCountries(services, user.id, { lock: ['CU'], unlock: ['US'] })
  expect(await findSpending(services, user.id)).toMatchObject({
    perCall: 1,
    perMonth: 2,
    locked: ['CU', 'IN'],
  })
  await changeCaps(services, user.id, { perCall: null })
  expect(await findSpending(services, user.id)).toMatchObject({ perCall: null, perMonth: 2 })
  await changeCaps(services, user.id, {})
  expect(await findSpending(services, user.id)).toMatchObject({ perCall: null, perMonth: 2 })
})

test('a cap removed during the call does not end it, and its pages are told to reload', async () => {
  const user = await world.addUser({ credit: 0.05 })
  await changeCaps(services, user.id, { perCall: 0.02 })
  const call = await connect(user.id)
  await removeCredits(user.account_id, 30_000)
  world.notices.length = 0
  await changeCaps(services, user.id, { perCall: null })
  expect(world.notices).toContainEqual(
    expect.objectContaining({
      kind: 'call',
      userId: user.id,
      event: expect.objectContaining({ id: call.callId }),
    }),
  )
  await pass(minuteMs)
  await call.end(minuteMs, 'limit')
  expect(await recordOf(user.id, call.callId)).not.toHaveProperty('cap')
})

test('what was set goes with the account', async () => {
  const user = await world.addUser({ credit: 1 })
  await changeCaps(services, user.id, { perCall: 1, perMonth: 2 })
  await lockCountries(services, user.id, { lock: ['IN'], unlock: [] })
  expect(await findSpending(services, user.id)).toMatchObject({ perCall: 1, perMonth: 2, locked: ['IN'] })
  await world.db.query('update app_user set deleted_at = $2 where id = $1', [user.id, world.clock.now()])
  await changeCaps(services, user.id, { perCall: 5, perMonth: 5 })
  expect(await findUser(world.db, user.id)).toBeUndefined()
  expect(await findSpending(services, user.id)).toMatchObject({ perCall: 1 })
})

test('a new account reads how long its calls may last, what lifts that, and from when', async () => {
  const user = await world.addUser()
  const termsOf = async () => (await findSpending(world.services, user.id)).newAccount
  const { policy } = world.services
  const [unpaid, paid] = [policy.tiers.never_paid, policy.tiers.newly_paid]
  expect(await termsOf()).toEqual({
    ...{ maxCallMinutes: unpaid.longestCallMinutes, endsAt: null, payUsd: 25, days: 7 },
  })
  const paidAtMs = world.clock.now().getTime()
  await topUp(user.id, 10)
  expect(await termsOf()).toEqual({
    ...{ maxCallMinutes: paid.longestCallMinutes, endsAt: null, payUsd: 15, days: 7 },
  })
  await pass(minuteMs)
  await topUp(user.id, 15)
  const endsAt = new Date(paidAtMs + 7 * 24 * 60 * minuteMs).toISOString()
  expect(await termsOf()).toMatchObject({ endsAt, payUsd: 0 })
  world.clock.advance(7 * 24 * 60 * minuteMs)
  expect(await termsOf()).toBeNull()
})
