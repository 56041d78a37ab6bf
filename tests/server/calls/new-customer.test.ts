import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { findCall } from '#server/calls/history/history.ts'
import { changeCaps } from '#server/calls/placing/spending.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

/** What calls may cost in the first 72 hours after the first payment (ADR-50). */

/** 1.14 USD a minute. */
const expensive = '+5353123456'
const minuteMs = 60_000
const hourMs = 3600_000

const world = keepForFile(await createWorld())
const wide = widePolicy({ concurrentCalls: 2, longestCallMinutes: 240 })
const services = { ...world.services, policy: { ...wide, newCustomer: defaultCallPolicy.newCustomer } }
afterEach(() => reconcileCalls(world.services, 0))

const place = (userId: string, to = expensive) =>
  createCallControl(services).place({ userId, to, callerId: undefined })
const connect = (userId: string, to = expensive) => connectCall(createCallControl(services), userId, to)
async function pay(userId: string, usd: number) {
  const one = await order(world, userId, usd)
  expect(await deliver({ ...world, services }, one.paid())).toMatchObject({ ok: true })
}

test('limits a new customer’s calls to $50 in 72 hours, whatever they paid, and then lifts the limit', async () => {
  const user = await world.addUser()
  await pay(user.id, 400)
  const first = await connect(user.id)
  // 43 minutes at $1.14 are $49.02.
  expect(first.limitMs).toBe(43 * minuteMs)
  await first.end(first.limitMs, 'limit')
  expect(await findCall(world.db, user.id, first.callId)).toMatchObject({ cost: 49.02, cap: 'new_customer' })
  world.clock.advance(59 * hourMs)
  expect(await place(user.id)).toEqual({
    kind: 'refuse',
    code: 'new_customer_cap',
    message: 'You can spend $0.98 more in your first 72 hours. They end in 13 hours.',
  })
  // A cheaper number is within what is left.
  const cheap = await connect(user.id, '+12125550142')
  expect(cheap.limitMs).toBe(49 * minuteMs)
  await cheap.end(minuteMs)
  world.clock.advance(13 * hourMs)
  expect(await place(user.id)).toMatchObject({ kind: 'connect', limitMs: 240 * minuteMs })
})

test('another running call holds its part', async () => {
  const user = await world.addUser()
  await pay(user.id, 400)
  const first = await connect(user.id, '+37491123456')
  // 140 minutes at $0.355 are $49.70.
  expect(first.limitMs).toBe(140 * minuteMs)
  expect(await place(user.id, '+37491123457')).toMatchObject({ kind: 'refuse', code: 'new_customer_cap' })
  await first.end(10 * minuteMs)
  expect(await place(user.id, '+37491123457')).toMatchObject({ limitMs: 130 * minuteMs })
})

test('a payment during a call lengthens it no further, and a call that the first payment found running counts', async () => {
  const user = await world.addUser({ credit: 11.4 })
  const call = await connect(user.id)
  expect(call.limitMs).toBe(10 * minuteMs)
  await pay(user.id, 400)
  const [row] = await world.db.query<{ limit_ms: number; cap: string }>(
    'select limit_ms, cap from call where id = $1',
    [call.callId],
  )
  expect(row).toEqual({ limit_ms: 43 * minuteMs, cap: 'new_customer' })
  await call.end(43 * minuteMs, 'limit')
  expect(await place(user.id)).toMatchObject({ kind: 'refuse', code: 'new_customer_cap' })
})

test('a cap of the user’s own that is lower is the one that counts', async () => {
  const user = await world.addUser()
  await pay(user.id, 100)
  await changeCaps(services, user.id, { perCall: 2.28 })
  const placed = await place(user.id)
  expect(placed).toMatchObject({ kind: 'connect', limitMs: 2 * minuteMs })
  const callId = placed.kind === 'connect' ? placed.callId : ''
  const [row] = await world.db.query('select cap from call where id = $1', [callId])
  expect(row).toEqual({ cap: 'call' })
})

test('a user with adjustments only, and one who paid longer ago, is no new customer', async () => {
  const guest = await world.addUser({ credit: 300 })
  expect(await place(guest.id)).toMatchObject({ limitMs: 240 * minuteMs })
  const regular = await world.addUser()
  await pay(regular.id, 5)
  world.clock.advance(72 * hourMs)
  await pay(regular.id, 400)
  expect(await place(regular.id)).toMatchObject({ limitMs: 240 * minuteMs })
})

test('a refunded payment does not count: the 72 hours begin with the first payment that remains', async () => {
  const user = await world.addUser()
  const first = await order(world, user.id, 5)
  await deliver({ ...world, services }, first.paid())
  await deliver({ ...world, services }, first.refund(5))
  world.clock.advance(72 * hourMs)
  await pay(user.id, 400)
  expect(await place(user.id)).toMatchObject({ limitMs: 43 * minuteMs })
})

test('while no payment remains the 72 hours begin with the last one, even for an unblocked account', async () => {
  const user = await world.addUser({ credit: 300 })
  const disputed = await order(world, user.id, 5)
  await deliver({ ...world, services }, disputed.paid())
  await deliver({ ...world, services }, disputed.dispute(5))
  await world.db.query('update app_user set can_call = true, blocked_reason = null where id = $1', [user.id])
  const placed = await place(user.id)
  expect(placed).toMatchObject({ limitMs: 43 * minuteMs })
  await reconcileCalls(world.services, 0)
  world.clock.advance(72 * hourMs)
  expect(await place(user.id)).toMatchObject({ limitMs: 240 * minuteMs })
})
