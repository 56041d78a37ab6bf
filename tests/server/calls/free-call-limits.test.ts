import { afterEach, expect, test } from 'vitest'
import { createCallControl } from '#server/calls/carrier/control.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import { findUser } from '#server/identity/users.ts'
import { noteOrigin } from '#server/limits/origin.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWorld } from '#support/world.ts'
import { deliver, order } from '../payments/buyer.ts'

/** 0.02 USD a minute, and no test number. */
const american = '+12125550142'
/** About 2.70 USD a minute: more than a new customer may call. */
const falklands = '+50021234'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

/** With the limits as they are sold. */
const world = keepForFile(await createWorld())
const services = { ...world.services, policy: defaultCallPolicy }
afterEach(() => reconcileCalls(world.services, 0))

const place = (userId: string, to = american, by = services) =>
  createCallControl(by).place({ userId, to, callerId: undefined })

/** Somebody answered it, for long enough to use a free call up. */
async function reportAnswered(callId: string): Promise<void> {
  const control = createCallControl(services)
  await control.report({ kind: 'answered', callId })
  await control.report({ kind: 'ended', callId, answeredMs: 10_000, end: 'caller_hung_up' })
}

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
    message: 'Too many free calls from your connection or to this number. Buy credits to call.',
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
    message: 'Free calls have reached their limit. Press Call again to pay $0.020 a minute.',
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
    message: "Your free call isn't available. Press Call again to pay $0.020 a minute.",
  })
  const fresh = await world.addUser({ credit: 5, freeCall: 'available' })
  expect(await promised(fresh.id, falklands)).toMatchObject({
    code: 'not_free',
    message: expect.stringMatching(/^Your free call doesn't cover this number\. Press Call again to pay \$/),
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
    await control.report({ kind: 'ended', callId, answeredMs: 10_000, end: 'caller_hung_up' })
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
