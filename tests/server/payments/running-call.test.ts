import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { recordHeartbeats } from '#server/calls/metering/heartbeat.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { lockLiveCalls } from '#server/spending/duration-limits.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from './buyer.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'
const minuteMs = 60_000

const world = keepForFile(await createWorld())
afterEach(() => {
  world.network.limits.length = 0
})

async function credit(email: string, usd: number): Promise<void> {
  const amountMicroUsd = usdToMicroUsd(usd)
  const gift = { requestId: randomUUID(), email, amountMicroUsd, reason: 'a test', actor: 'test' }
  expect(await creditAccount(world.services, gift)).toMatchObject({ ok: true })
}

test('a top-up extends the limit of the running call, up to the longest call', async () => {
  const user = await world.addUser({ credit: 0.05 })
  const call = await connectCall(world.control, user.id, american)
  expect(call.limitMs).toBe(2 * minuteMs)
  const one = await order(world, user.id, 5)
  await deliver(world, one.paid())
  expect(world.network.limits).toEqual([{ callId: call.callId, limitMs: 60 * minuteMs }])
  for (let minute = 0; minute < 3; minute += 1) {
    world.clock.advance(minuteMs + 1)
    await chargeDueMinutes(world.services)
  }
  expect(world.network.hungUp).not.toContain(call.callId)
  await call.end(3 * minuteMs + 3)
  const [row] = await world.db.query('select cost, limit_raised from call where id = $1', [call.callId])
  expect(row).toEqual({ cost: 80_000, limit_raised: false })
})

test('an operator’s credit does the same', async () => {
  const user = await world.addUser({ credit: 0.05 })
  const call = await connectCall(world.control, user.id, american)
  await credit(user.email, 0.1)
  expect(world.network.limits).toEqual([{ callId: call.callId, limitMs: 7 * minuteMs }])
  await call.end(1000)
})

test('credits and payments of one account at the same moment wait for each other in one order', async () => {
  const user = await world.addUser({ credit: 5 })
  const call = await connectCall(world.control, user.id, american)
  const orders = await Promise.all([5, 6, 7, 8, 9, 10].map(usd => order(world, user.id, usd)))
  world.clock.advance(minuteMs + 1)
  const done = await Promise.allSettled([
    ...orders.map(one => deliver(world, one.paid())),
    ...orders.map(() => credit(user.email, 1)),
    chargeDueMinutes(world.services),
    ...orders.map(() => recordHeartbeats(world.services, [call.callId])),
  ])
  expect(done.filter(({ status }) => status === 'rejected')).toEqual([])
  await call.end(minuteMs + 2)
  const [account] = await world.db.query('select balance from account where user_id = $1', [user.id])
  expect(account).toEqual({ balance: (5 + 45 + 6) * 1_000_000 - 40_000 })
})

test('also when its last minute was paid already', async () => {
  const user = await world.addUser({ credit: 0.03 })
  const call = await connectCall(world.control, user.id, american)
  world.clock.advance(30_000)
  await deliver(world, (await order(world, user.id, 5)).paid())
  world.clock.advance(30_000)
  expect(await chargeDueMinutes(world.services)).toBe(0)
  world.clock.advance(1)
  expect(await chargeDueMinutes(world.services)).toBe(1)
  await call.end(minuteMs + 1)
})

test('a call that rings when the top-up comes may last as long as the new balance', async () => {
  const user = await world.addUser({ credit: 0.03 })
  const placed = await world.control.place({ userId: user.id, to: american, callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.code)
  await deliver(world, (await order(world, user.id, 5)).paid())
  expect(world.network.limits).toEqual([{ callId: placed.callId, limitMs: 60 * minuteMs }])
  await world.control.report({ kind: 'answered', callId: placed.callId })
  world.clock.advance(5 * minuteMs)
  await world.control.report({
    kind: 'ended',
    callId: placed.callId,
    answeredMs: 5 * minuteMs,
    end: 'caller_hung_up',
  })
})

test('a top-up adds what it covers, and does not subtract again the minutes that a call holds', async () => {
  const user = await world.addUser({ credit: 4 })
  // About 3.50 USD a minute.
  const placed = await world.control.place({ userId: user.id, to: '+50021234', callerId: undefined })
  expect(placed).toMatchObject({ kind: 'connect', limitMs: minuteMs })
  await deliver(world, (await order(world, user.id, 10)).paid())
  expect(world.network.limits).toMatchObject([{ limitMs: 3 * minuteMs }])
  if (placed.kind === 'refuse') return
  await world.control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'no_answer' })
})

test('and those that it has paid already are not taken off either', async () => {
  const user = await world.addUser({ credit: 4 })
  const call = await connectCall(world.control, user.id, '+50021234')
  await deliver(world, (await order(world, user.id, 10)).paid())
  expect(world.network.limits).toEqual([{ callId: call.callId, limitMs: 3 * minuteMs }])
  await call.end(1000)
})

test('a call of another process learns its new limit by the heartbeat of that one, once', async () => {
  const user = await world.addUser({ credit: 0.05 })
  const call = await connectCall(world.control, user.id, american)
  await deliver(
    { ...world, services: { ...world.services, nodeId: 'another' } },
    (await order(world, user.id, 5)).paid(),
  )
  expect(world.network.limits).toEqual([])
  await recordHeartbeats(world.services, [call.callId])
  await recordHeartbeats(world.services, [call.callId])
  expect(world.network.limits).toEqual([{ callId: call.callId, limitMs: 60 * minuteMs }])
  await call.end(1000)
})

test('hangs up the call of a user whose payment is disputed', async () => {
  const user = await world.addUser()
  const one = await order(world, user.id, 5)
  await deliver(world, one.paid())
  const call = await connectCall(world.control, user.id, american)
  await deliver(world, one.dispute(5))
  await recordHeartbeats(world.services, [call.callId])
  expect(world.network.hungUp).toContain(call.callId)
  await call.end(1000)
})

test('a top-up and a heartbeat of two calls of one user never wait for each other', async () => {
  const user = await world.addUser({ credit: 5 })
  const control = createCallControl({ ...world.services, policy: widePolicy({ concurrentCalls: 2 }) })
  const calls = [
    await connectCall(control, user.id, american),
    await connectCall(control, user.id, '+12125550142'),
  ]
  const [lower = '', higher = ''] = calls
    .map(({ callId }) => callId)
    .sort((one, another) => (one < another ? -1 : 1))
  // The one that a top-up locks first lies behind the other in the table.
  await world.db.query('update call set heartbeat_at = heartbeat_at where id = $1', [lower])
  await world.db.query('analyze call')
  const heartbeat = await world.db.transaction(async tx => {
    await tx.query('select id from call where id = $1 for update', [lower])
    const beating = recordHeartbeats(world.services, [higher, lower])
    await pause(200)
    await lockLiveCalls(tx, user.id)
    return { beating }
  })
  await heartbeat.beating
  for (const call of calls) await call.end(1000)
})
