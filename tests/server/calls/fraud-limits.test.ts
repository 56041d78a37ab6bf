import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import { post } from '#server/ledger/ledger.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { tierOf } from '#server/spending/trust-tier.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

/** 0.02 USD a minute, and no test number. */
const american = '+12125550142'
/** About 2.70 USD a minute: more than a new customer may call. */
const falklands = '+50021234'
const falklandsRate = readTariff().byPrefix.get(500)?.microUsdPerMinute ?? 0

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** With the limits as they are sold. */
const world = keepForFile(await createWorld())
const services = { ...world.services, policy: defaultCallPolicy }
afterEach(() => reconcileCalls(world.services, 0))

const place = (userId: string, to = american, by = services) =>
  createCallControl(by).place({ userId, to, callerId: undefined })

/** A call of one second that was answered; or one that nobody answered. */
async function callOnce(userId: string, { answered = true, by = services } = {}): Promise<void> {
  const control = createCallControl(by)
  if (answered) return (await connectCall(control, userId, american)).end(1000)
  const placed = await place(userId, american, by)
  if (placed.kind === 'refuse') throw new Error(placed.message)
  await control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'no_answer' })
}

/** Somebody who paid 25 USD eight days ago, and so much was credited since. */
async function establishedUser(credit = 0) {
  const user = await world.addUser()
  await deliver(world, (await order(world, user.id, 25)).paid())
  await world.db.query(
    `update payment set paid_at = paid_at - interval '8 days', created_at = created_at - interval '8 days' where user_id = $1`,
    [user.id],
  )
  if (credit > 0) await deliver(world, (await order(world, user.id, credit)).paid())
  return user
}

test('an honest first call meets no limit, and the first calls after a payment neither', async () => {
  const user = await world.addUser({ freeCall: 'available' })
  await noteOrigin(services, user.id, { address: '192.0.2.1', device: services.random.uuid() })
  const first = await connectCall(createCallControl(services), user.id, american)
  expect(first.limitMs).toBe(5 * minuteMs)
  await first.end(4 * minuteMs)
  await deliver(world, (await order(world, user.id, 10)).paid())
  for (let call = 0; call < 5; call += 1) await callOnce(user.id)
})

test('limits attempts within an hour, and the rejection says when the next one may be', async () => {
  const user = await world.addUser({ credit: 10 })
  const by = { ...services, policy: widePolicy({ attemptsPerHour: 4 }) }
  for (let call = 0; call < 4; call += 1) await callOnce(user.id, { answered: false, by })
  world.clock.advance(20 * minuteMs)
  expect(await place(user.id, american, by)).toEqual({
    kind: 'refuse',
    code: 'call_limit',
    message: "You've tried to call 4 times in an hour, our limit. Try again in 40 minutes.",
  })
  world.clock.advance(40 * minuteMs)
  expect(await place(user.id, american, by)).toMatchObject({ kind: 'connect' })
})

test('answered calls are limited within an hour and within a day', async () => {
  const user = await world.addUser({ credit: 10 })
  const by = { ...services, policy: widePolicy({ answeredPerHour: 2, answeredPerDay: 4 }) }
  for (let hour = 0; hour < 2; hour += 1) {
    for (let call = 0; call < 2; call += 1) await callOnce(user.id, { by })
    expect(await place(user.id, american, by)).toMatchObject({
      code: 'call_limit',
      message: "You've made 2 calls in an hour, the limit for now. Call again in 60 minutes.",
    })
    world.clock.advance(hourMs)
  }
  expect(await place(user.id, american, by)).toMatchObject({
    message: "You've made 4 calls in a day, the limit for now. Call again in 22 hours.",
  })
  world.clock.advance(22 * hourMs)
  expect(await place(user.id, american, by)).toMatchObject({ kind: 'connect' })
})

test('a user who never paid has two answered calls in an hour, even with credits from an adjustment', async () => {
  const user = await world.addUser()
  const at = world.clock.now()
  const gift = { debit: 'promotions', credit: user.account_id, amountMicroUsd: 9_000_000, at } as const
  await post(world.db, { ...gift, key: `test:gift:${user.id}` })
  for (let call = 0; call < 2; call += 1) await callOnce(user.id)
  expect(await place(user.id)).toMatchObject({ code: 'call_limit' })
})

test('age and payments together open an expensive number, and the rejection says how', async () => {
  expect(falklandsRate).toBeGreaterThan(1_000_000)
  const user = await world.addUser()
  await deliver(world, (await order(world, user.id, 24)).paid())
  const rejection = {
    kind: 'refuse',
    code: 'rate_limit',
    message: "Your limit is $1.00 a minute until you've paid $25.00 and 7 days have passed.",
  }
  expect(await place(user.id, falklands)).toEqual(rejection)
  world.clock.advance(7 * dayMs)
  expect(await place(user.id, falklands)).toEqual(rejection)
  await deliver(world, (await order(world, user.id, 5)).paid())
  expect(await place(user.id, falklands)).toMatchObject({ kind: 'connect' })
})

test('credits that nobody paid for call cheap numbers, briefly', async () => {
  const user = await world.addUser()
  const at = world.clock.now()
  const gift = { debit: 'promotions', credit: user.account_id, amountMicroUsd: 9_000_000, at } as const
  await post(world.db, { ...gift, key: `test:gift:${user.id}` })
  expect(await place(user.id, falklands)).toMatchObject({
    message: 'You can call numbers up to $0.50 a minute. Buy credits to raise that.',
  })
  expect(await place(user.id)).toMatchObject({ kind: 'connect', limitMs: 5 * minuteMs })
})

test('a refunded payment raises no trust tier', async () => {
  const user = await establishedUser(100)
  const [payment] = await world.db.query<{ intent_ref: string }>(
    `select intent_ref from payment where user_id = $1 and amount = 25000000`,
    [user.id],
  )
  expect(await place(user.id, falklands)).toMatchObject({ kind: 'connect' })
  await reconcileCalls(world.services, 0)
  await deliver(world, {
    kind: 'refund',
    refundRef: `re_${user.id}`,
    key: null,
    intentRef: payment?.intent_ref ?? '',
    amountMicroUsd: 25_000_000,
    state: 'succeeded',
  })
  expect(await place(user.id, falklands)).toMatchObject({ code: 'rate_limit' })
})

test('nor does a disputed one, while it is', async () => {
  const user = await world.addUser()
  const one = await order(world, user.id, 25)
  await deliver(world, one.paid())
  expect(await tierOf(world.db, services, user.id)).toBe('newly_paid')
  await deliver(world, one.dispute(25))
  expect(await tierOf(world.db, services, user.id)).toBe('never_paid')
  await deliver(world, one.dispute(25, 'won'))
  expect(await tierOf(world.db, services, user.id)).toBe('newly_paid')
})

test('a call that rings counts as one that was answered', async () => {
  const user = await world.addUser({ credit: 10 })
  const by = { ...services, policy: widePolicy({ answeredPerHour: 1, concurrentCalls: 2 }) }
  expect(await place(user.id, american, by)).toMatchObject({ kind: 'connect' })
  expect(await place(user.id, american, by)).toMatchObject({ code: 'call_limit' })
})

test('a free call holds nothing of the balance', async () => {
  const user = await world.addUser({ credit: 0.05, freeCall: 'available' })
  const by = { ...services, policy: widePolicy({ concurrentCalls: 2 }) }
  expect(await place(user.id, american, by)).toMatchObject({ kind: 'connect', limitMs: 5 * minuteMs })
  expect(await place(user.id, american, by)).toMatchObject({ kind: 'connect', limitMs: 2 * minuteMs })
})

test('two calls of one account never cost more than the balance: each holds what it may still cost', async () => {
  const user = await establishedUser()
  const control = createCallControl(services)
  const first = await connectCall(control, user.id, american)
  expect(first.limitMs).toBe(240 * minuteMs)
  // 25.00 less the first call's 240 minutes at 0.02.
  const expensive = await place(user.id, falklands)
  const covered = Math.floor((25_000_000 - 240 * 20_000) / falklandsRate)
  expect(expensive).toMatchObject({ kind: 'connect', limitMs: covered * minuteMs })
  expect(await place(user.id)).toMatchObject({ code: 'too_many_calls' })
  await first.end(1000)
})

test('a second call waits while the first may use up the credits, and says so', async () => {
  const user = await establishedUser()
  const at = world.clock.now()
  const taken = { debit: user.account_id, credit: 'losses', amountMicroUsd: 24_000_000, at } as const
  await post(world.db, { ...taken, key: `test:taken:${user.id}` })
  const first = await connectCall(createCallControl(services), user.id, american)
  expect(await place(user.id)).toEqual({
    kind: 'refuse',
    code: 'no_credits',
    message: 'Your other call may use up your credits. Hang up there first, or buy credits.',
  })
  await deliver({ ...world, services }, (await order(world, user.id, 5)).paid())
  const [raised] = await world.db.query<{ limit_ms: number }>('select limit_ms from call where id = $1', [
    first.callId,
  ])
  expect(raised?.limit_ms).toBe(240 * minuteMs)
  // 6.00 less the first call's 4.80.
  expect(await place(user.id)).toMatchObject({ kind: 'connect', limitMs: 60 * minuteMs })
  await first.end(1000)
})
