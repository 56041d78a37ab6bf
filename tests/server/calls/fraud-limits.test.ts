import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import type { Services } from '#server/context.ts'
import { findUser } from '#server/identity/users.ts'
import { post } from '#server/ledger/ledger.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { tierOf } from '#server/spending/trust-tier.ts'
import { readTariff } from '#server/tariff/tariff-file.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { widePolicy } from '#support/wide-policy.ts'
import { createWorld, type World } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

/** 0.02 USD a minute, and no test number. */
const american = '+12125550142'
/** About 2.70 USD a minute: more than a new customer may call. */
const falklands = '+50021234'
/** Dearer, under a prefix of its own. */
const falklandsMobile = '+50051234'
const falklandsRate = readTariff().byPrefix.get(500)?.microUsdPerMinute ?? 0

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

let world: World
/** With the limits as they are sold. */
let services: Services
beforeAll(async () => {
  world = await createWorld()
  services = { ...world.services, policy: defaultCallPolicy }
})
afterEach(async () => {
  await reconcileCalls(world.services, 0)
  expect(await findBreaches(world.db)).toEqual([])
})
afterAll(async () => {
  await world.close()
})

const place = (userId: string, to = american, by = services) =>
  createCallControl(by).place({ userId, to, callerId: undefined })

/** Somebody answered it, for a second. */
async function reportAnswered(callId: string): Promise<void> {
  const control = createCallControl(services)
  await control.report({ kind: 'answered', callId })
  await control.report({ kind: 'ended', callId, answeredMs: 1000, end: 'caller_hung_up' })
}

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
    message: 'You have tried 4 calls within an hour, the most for now. Try again in 40 minutes.',
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
      message: 'You have had 2 calls within an hour, the most for now. Call again in 60 minutes.',
    })
    world.clock.advance(hourMs)
  }
  expect(await place(user.id, american, by)).toMatchObject({
    message: 'You have had 4 calls within a day, the most for now. Call again in 22 hours.',
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
  const refusal = {
    kind: 'refuse',
    code: 'rate_limit',
    message:
      'Your account can call numbers up to $1.00 a minute for now. 7 days after your first payment, and $25.00 paid in all, it is raised.',
  }
  expect(await place(user.id, falklands)).toEqual(refusal)
  world.clock.advance(7 * dayMs)
  expect(await place(user.id, falklands)).toEqual(refusal)
  await deliver(world, (await order(world, user.id, 5)).paid())
  expect(await place(user.id, falklands)).toMatchObject({ kind: 'connect' })
})

test('credits that nobody paid for call cheap numbers, briefly', async () => {
  const user = await world.addUser()
  const at = world.clock.now()
  const gift = { debit: 'promotions', credit: user.account_id, amountMicroUsd: 9_000_000, at } as const
  await post(world.db, { ...gift, key: `test:gift:${user.id}` })
  expect(await place(user.id, falklands)).toMatchObject({
    message: 'Your account can call numbers up to $0.50 a minute for now. Buy credits to raise that.',
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

test('free calls from one address, from one device and to one number are limited in a month; loopback is exempt', async () => {
  let numbers = 200
  const attempt = async (address: string, device: string, to?: string) => {
    const user = await world.addUser({ freeCall: 'available' })
    await noteOrigin(services, user.id, { address, device })
    numbers += 1
    const placed = await place(user.id, to ?? `+1212555${numbers}0`)
    if (placed.kind === 'connect') await reportAnswered(placed.callId)
    return { placed, user }
  }
  const someone = () => services.random.uuid()
  const refused = {
    kind: 'refuse',
    code: 'free_call_limit',
    message:
      'Too many free calls came from your connection or went to this number lately. Buy credits to call it now.',
  }
  for (let call = 0; call < 3; call += 1)
    expect((await attempt('192.0.2.7', someone())).placed.kind).toBe('connect')
  const fourth = await attempt('::ffff:192.0.2.7', someone())
  expect(fourth.placed).toEqual(refused)
  expect((await findUser(world.db, fourth.user.id))?.free_call).toBe('available')
  await deliver(world, (await order(world, fourth.user.id, 5)).paid())
  expect(await place(fourth.user.id)).toMatchObject({ kind: 'connect' })
  expect((await findUser(world.db, fourth.user.id))?.free_call).toBe('available')

  const browser = someone()
  for (let call = 0; call < 3; call += 1)
    expect((await attempt(`198.51.100.${call}`, browser)).placed.kind).toBe('connect')
  expect((await attempt('198.51.100.9', browser)).placed).toEqual(refused)

  for (let call = 0; call < 3; call += 1)
    expect((await attempt(`203.0.113.${call}`, someone(), '+12125553333')).placed.kind).toBe('connect')
  expect((await attempt('203.0.113.9', someone(), '+12125553333')).placed).toEqual(refused)

  for (const network of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:0db8:0001:0002::3'])
    expect((await attempt(network, someone())).placed.kind).toBe('connect')
  expect((await attempt('2001:db8:1:2:3:4:5:6', someone())).placed).toEqual(refused)

  for (let call = 0; call < 5; call += 1) {
    expect((await attempt('127.0.0.1', 'the same', '+12125553333')).placed.kind).toBe('connect')
    expect((await attempt(`192.0.2.${100 + call}`, someone(), '+12125550100')).placed.kind).toBe('connect')
  }

  world.clock.advance(31 * dayMs)
  expect((await attempt('192.0.2.7', browser, '+12125553333')).placed.kind).toBe('connect')
})

test('rejects a call that its page promised to be free where it would be charged, and places it at the next press', async () => {
  const promised = (userId: string, to = american) =>
    createCallControl(services).place({ userId, to, callerId: undefined, expectsFree: true })
  const device = services.random.uuid()
  const from = async (user: { readonly id: string }) =>
    noteOrigin(services, user.id, { address: '192.0.2.77', device })
  for (let call = 0; call < 3; call += 1) {
    const user = await world.addUser({ credit: 1, freeCall: 'available' })
    await from(user)
    const placed = await promised(user.id)
    if (placed.kind === 'refuse') throw new Error(placed.message)
    await reportAnswered(placed.callId)
  }
  const user = await world.addUser({ credit: 1, freeCall: 'available' })
  await from(user)
  expect(await promised(user.id)).toEqual({
    kind: 'refuse',
    code: 'not_free',
    message: 'Free calls have reached their limit here. Press Call again to pay $0.020 a minute.',
  })
  expect(await world.db.query('select 1 from call where user_id = $1', [user.id])).toEqual([])
  const placed = await place(user.id)
  if (placed.kind === 'refuse') throw new Error(placed.message)
  await reportAnswered(placed.callId)
  expect(await findUser(world.db, user.id)).toMatchObject({ free_call: 'available' })
  const paid = await world.db.query('select free, minutes_charged from call where user_id = $1', [user.id])
  expect(paid).toEqual([{ free: false, minutes_charged: 1 }])

  const poor = await world.addUser({ freeCall: 'available' })
  await from(poor)
  expect(await promised(poor.id)).toMatchObject({ code: 'free_call_limit' })
})

test('the text says where the free call is gone, or the number is too expensive for it', async () => {
  const promised = (userId: string, to: string) =>
    createCallControl(services).place({ userId, to, callerId: undefined, expectsFree: true })
  const used = await world.addUser({ credit: 1, freeCall: 'used' })
  expect(await promised(used.id, american)).toMatchObject({
    code: 'not_free',
    message: 'Your free call is used or in use. Press Call again to pay $0.020 a minute.',
  })
  const fresh = await world.addUser({ credit: 5, freeCall: 'available' })
  expect(await promised(fresh.id, falklands)).toMatchObject({
    code: 'not_free',
    message: expect.stringMatching(/^Your free call is not for this number\. Press Call again to pay \$/),
  })
})

test('calls that were paid or not answered leave the free calls to a number as they were', async () => {
  const to = '+12125554444'
  const paid = await world.addUser({ credit: 5 })
  for (let call = 0; call < 3; call += 1) {
    await (await connectCall(createCallControl(services), paid.id, to)).end(1000)
    const user = await world.addUser({ freeCall: 'available' })
    const placed = await place(user.id, to)
    if (placed.kind === 'refuse') throw new Error(placed.message)
    const { callId } = placed
    await createCallControl(services).report({ kind: 'ended', callId, answeredMs: null, end: 'no_answer' })
  }
  const free = await world.addUser({ freeCall: 'available' })
  expect(await place(free.id, to)).toMatchObject({ kind: 'connect', limitMs: 5 * minuteMs })
})

test('the breaker counts other accounts, calls of its window and its own prefix, from its rate on', async () => {
  world.clock.advance(hourMs)
  const breaker = { fromRateMicroUsd: falklandsRate, accounts: 2, windowSeconds: 600, pauseSeconds: 1800 }
  const by = { ...services, policy: { ...widePolicy(), breaker } }
  const ring = async (userId: string, to: string, policy = by) => {
    const placed = await place(userId, to, policy)
    await reconcileCalls(world.services, 0)
    return placed.kind === 'connect' ? 'connect' : placed.code
  }
  const people = []
  for (let person = 0; person < 4; person += 1) people.push((await world.addUser({ credit: 9 })).id)
  const [one = '', other = '', third = '', fourth = ''] = people
  expect([await ring(one, falklands), await ring(one, falklands)]).toEqual(['connect', 'connect'])
  expect(await ring(other, falklandsMobile)).toBe('connect')
  world.clock.advance(600_000)
  expect(await ring(third, falklands)).toBe('connect')
  expect(await ring(fourth, falklands)).toBe('destination_paused')
  const higher = {
    ...by,
    policy: { ...by.policy, breaker: { ...breaker, fromRateMicroUsd: falklandsRate + 1 } },
  }
  expect(await ring(fourth, falklands, higher)).toBe('connect')

  // Accounts are counted, however often each of them calls.
  world.clock.advance(hourMs)
  const ofThree = { ...by, policy: { ...by.policy, breaker: { ...breaker, accounts: 3 } } }
  for (let call = 0; call < 3; call += 1) expect(await ring(one, falklands, ofThree)).toBe('connect')
  expect(await ring(other, falklands, ofThree)).toBe('connect')
  expect(await ring(third, falklands, ofThree)).toBe('destination_paused')
  world.clock.advance(hourMs)
})

test('a breaker that was open counts again from its closing, in a window that is longer than its pause', async () => {
  world.clock.advance(hourMs)
  const breaker = { fromRateMicroUsd: falklandsRate, accounts: 2, windowSeconds: 1200, pauseSeconds: 300 }
  const by = { ...services, policy: { ...widePolicy(), breaker } }
  const ring = async () => {
    const { id } = await world.addUser({ credit: 9 })
    const placed = await place(id, falklands, by)
    await reconcileCalls(world.services, 0)
    return placed.kind === 'connect' ? 'connect' : placed.code
  }
  expect([await ring(), await ring()]).toEqual(['connect', 'destination_paused'])
  world.clock.advance(299_999)
  expect(await ring()).toBe('destination_paused')
  world.clock.advance(1)
  expect([await ring(), await ring()]).toEqual(['connect', 'destination_paused'])
  world.clock.advance(hourMs)
})

test('twenty accounts that call one expensive prefix at the same moment are not all let through', async () => {
  const breaker = { fromRateMicroUsd: falklandsRate, accounts: 5, windowSeconds: 600, pauseSeconds: 1800 }
  const by = { ...services, policy: { ...widePolicy(), breaker } }
  const people = await Promise.all(Array.from({ length: 20 }, () => world.addUser({ credit: 9 })))
  const placed = await Promise.all(people.map(({ id }) => place(id, falklands, by)))
  expect(placed.filter(({ kind }) => kind === 'connect')).toHaveLength(4)
  world.clock.advance(hourMs)
})

test('counts free calls from one address while they ring, at the same moment too, and for 30 days', async () => {
  const control = createCallControl(services)
  const people = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const user = await world.addUser({ freeCall: 'available' })
      await noteOrigin(services, user.id, { address: '192.0.2.200', device: services.random.uuid() })
      return user
    }),
  )
  const attempts = await Promise.all(people.map(({ id }, nth) => place(id, `+1212555300${nth}`)))
  const rings = attempts.filter(placed => placed.kind === 'connect')
  expect(rings).toHaveLength(3)
  for (const { callId } of rings) {
    await control.report({ kind: 'answered', callId })
    await control.report({ kind: 'ended', callId, answeredMs: 1000, end: 'caller_hung_up' })
  }
  const again = async () => {
    const user = await world.addUser({ freeCall: 'available' })
    await noteOrigin(services, user.id, { address: '192.0.2.200', device: services.random.uuid() })
    return (await place(user.id, '+12125553009')).kind
  }
  world.clock.advance(30 * dayMs - 1)
  expect(await again()).toBe('refuse')
  world.clock.advance(1)
  expect(await again()).toBe('connect')
})

test('twenty accounts that ring one expensive prefix open its breaker within a minute, and it closes by itself', async () => {
  const logged: unknown[] = []
  const policy = { ...widePolicy(), breaker: defaultCallPolicy.breaker }
  const log = { ...services.log, error: (facts: unknown) => logged.push(facts) } as unknown as Services['log']
  const limited = { ...services, policy, log }
  const people = []
  for (let person = 0; person < 21; person += 1) people.push(await world.addUser({ credit: 5 }))
  const began = world.clock.now().getTime()
  const answers = []
  for (const { id } of people.slice(0, 20)) {
    answers.push(await place(id, falklands, limited))
    world.clock.advance(2500)
  }
  const opened = answers.findIndex(answer => answer.kind === 'refuse')
  expect(opened).toBe(defaultCallPolicy.breaker.accounts - 1)
  expect(answers.slice(opened).every(answer => answer.kind === 'refuse')).toBe(true)
  expect(answers[opened]).toEqual({
    kind: 'refuse',
    code: 'destination_paused',
    message: 'Unusually many people call this destination, so it pauses. Call again in 30 minutes.',
  })
  expect(opened * 2500).toBeLessThan(minuteMs)
  expect(logged).toEqual([expect.objectContaining({ prefix: '+500', accounts: 15 })])
  const last = people[20]?.id ?? ''
  expect(await place(last, american, limited)).toMatchObject({ kind: 'connect' })
  world.clock.advance(began + opened * 2500 + 30 * minuteMs - world.clock.now().getTime() - 1)
  await reconcileCalls(world.services, 0)
  expect(await place(last, falklands, limited)).toMatchObject({ code: 'destination_paused' })
  world.clock.advance(1)
  expect(await place(last, falklands, limited)).toMatchObject({ kind: 'connect' })
})
