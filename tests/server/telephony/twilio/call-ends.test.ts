import { afterEach, expect, test } from 'vitest'
import { inquireAboutCalls } from '#server/calls/carrier/poll-carrier.ts'
import { sweepCalls } from '#server/calls/carrier/sweep.ts'
import { keepForFile } from '#support/file-world.ts'
import { american, createTwilioWorld } from './twilio-world.ts'

const minuteMs = 60_000

const world = keepForFile(await createTwilioWorld())
afterEach(async () => {
  world.fake.webhooks.mode = 'deliver'
  world.fake.webhooks.held.length = 0
  world.fake.switchboard.callees.clear()
  world.expectNoSecretLogged()
  await world.expectSound()
})

const unanswered = [
  ['busy', { does: 'busy' }, 'busy'],
  ['declined', { does: 'declines' }, 'declined'],
  ['no answer', { does: 'no_answer' }, 'no_answer'],
  ['no such number', { does: 'fails', sipCode: 404 }, 'invalid_number'],
  ['a number too short', { does: 'fails', sipCode: 484 }, 'invalid_number'],
  ['a fault of the network', { does: 'fails', sipCode: 503 }, 'failed'],
  ['a number that the vendor does not call', { does: 'not_called' }, 'failed'],
] as const
test.each(unanswered)('an end without an answer costs nothing: %s', async (_, callee, outcome) => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.callees.set(american, callee)
  await world.call(id)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome, cost: 0, answered_ms: null })
})

test('a caller ID that the carrier no longer knows fails the call at once', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const own = '+442071838751'
  await world.db.query('insert into caller_id values ($1, $2, $3)', [id, own, world.clock.now()])
  await world.call(id, american, { CallerId: own })
  expect(await world.theCall(id)).toMatchObject({
    state: 'ended',
    outcome: 'failed',
    cost: 0,
    answered_ms: null,
  })
})

test('the carrier ends a call at its limit without our help', async () => {
  const { id } = await world.addUser({ credit: 0.04 })
  const sid = await world.call(id)
  await world.passTime(10 * minuteMs)
  expect(world.fake.switchboard.leg(sid).status).toBe('completed')
  expect(await world.theCall(id)).toMatchObject({
    outcome: 'limit',
    answered_ms: 2 * minuteMs,
    cost: 40_000,
  })
  expect(await world.balanceOf(id)).toBe(0)
})

test('REL-13: callbacks in any order, repeated and lost, settle a call once', async () => {
  const orders = [
    [0, 1, 2, 3, 4],
    [4, 3, 2, 1, 0],
    [3, 2, 1, 4, 0],
    [4, 4, 0, 3, 3, 2],
    [3],
    [4],
    [1, 4, 1, 2, 3],
  ]
  for (const order of orders) {
    const { id } = await world.addUser({ credit: 1 })
    world.fake.webhooks.mode = 'hold'
    const sid = await world.call(id)
    await world.passTime(150_000)
    world.fake.switchboard.hangUp(sid, 'callee')
    const notices = world.fake.webhooks.held.splice(0)
    expect(notices).toHaveLength(5)
    world.fake.webhooks.held.push(...order.flatMap(index => notices[index] ?? []))
    await world.fake.webhooks.release()
    expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 150_000, cost: 60_000 })
    expect(await world.balanceOf(id)).toBe(940_000)
    const settlements = await world.db.query(
      `select 1 from transfer join call on call.id = call_id where call.user_id = $1 and key like '%:settlement%'`,
      [id],
    )
    expect(settlements.length).toBeLessThanOrEqual(1)
  }
})

test('REL-13: callbacks that arrive at once settle a call once', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.mode = 'hold'
  const sid = await world.call(id)
  await world.passTime(90_000)
  world.fake.switchboard.hangUp(sid, 'caller')
  const notices = world.fake.webhooks.held.splice(0)
  await Promise.all([...notices, ...notices].map(callback => world.fake.webhooks.ask(callback)))
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', cost: 40_000, answered_ms: 90_000 })
  expect(await world.balanceOf(id)).toBe(960_000)
})

test('REL-14: a parameter that we do not know is accepted', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.mode = 'hold'
  const { sid } = await world.fake.switchboard.connect(id, { To: american, NewThing: 'a=b&c', Umlaut: 'äöü' })
  world.fake.switchboard.hangUp(sid, 'callee')
  const notices = world.fake.webhooks.held.splice(0)
  for (const { url, parameters } of notices) {
    const more = { ...parameters, StirVerstat: 'TN-Validation-Passed-A', __proto: 'x', Empty: '' }
    expect((await world.fake.webhooks.ask({ url, parameters: more })).status).toBeLessThan(300)
  }
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'completed' })
})

test('an answer without a length waits until the carrier is polled', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.mode = 'hold'
  const sid = await world.call(id)
  await world.passTime(30_000)
  world.fake.switchboard.hangUp(sid, 'callee')
  for (const { url, parameters } of world.fake.webhooks.held.splice(0)) {
    const { CallDuration: _, DialCallDuration: __, ...rest } = parameters
    await world.fake.webhooks.ask({ url, parameters: rest })
  }
  expect((await world.theCall(id)).state).toBe('answered')
  await sweepCalls(world.services)
  await inquireAboutCalls(world.services)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 30_000, cost: 20_000 })
})

test('an answered call of no whole second is charged its first minute', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  world.fake.switchboard.hangUp(sid, 'callee')
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({ outcome: 'completed', cost: 20_000, minutes_charged: 1 })
})
