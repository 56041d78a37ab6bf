import { afterEach, expect, test } from 'vitest'
import { inquireAboutCalls } from '#server/calls/carrier/poll-carrier.ts'
import { enforceCarrierCalls } from '#server/calls/metering/enforce-carrier-calls.ts'
import { keepForFile } from '#support/file-world.ts'
import { createSimulatedNetwork } from '#support/simulated-network.ts'
import { childOf, leaveCalls, live, reportStatus, runJobs } from './carrier-loops.ts'
import { createTwilioWorld } from './twilio-world.ts'

const minuteMs = 60_000

const world = keepForFile(await createTwilioWorld({ appStatus: true }))
afterEach(() => leaveCalls(world))

test('a call that the carrier no longer knows keeps its metered time, and is hung up where it continues', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  const legs = [world.fake.switchboard.leg(sid), childOf(world, sid)]
  for (const leg of legs) world.fake.switchboard.legs.delete(leg.sid)
  await live(world, 90_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'interrupted', cost: 40_000 })
  for (const leg of legs) world.fake.switchboard.legs.set(leg.sid, leg)
  expect(legs.map(({ status }) => status)).toEqual(['in-progress', 'in-progress'])
  await runJobs(world)
  expect(legs.map(({ status }) => status)).toEqual(['completed', 'completed'])
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({ cost: 40_000 })
})

test('hangs up a settled call of which an event arrives', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'rings' }
  const sid = await world.call(id)
  const { id: callId } = await world.theCall(id)
  await reportStatus(world, `call=${callId}`, { CallStatus: 'no-answer' })
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'no_answer' })
  world.fake.switchboard.answer(sid)
  await world.settled()
  await runJobs(world)
  expect(childOf(world, sid).status).toBe('completed')
  expect(await world.theCall(id)).toMatchObject({ cost: 0 })
})

test('a call that its network lets run past its limit is hung up', async () => {
  const { id } = await world.addUser({ credit: 0.04 })
  const sid = await world.call(id)
  childOf(world, sid).timeLimitSeconds = 14_400
  await live(world, 2 * minuteMs + 10_000)
  expect((await world.theCall(id)).state).toBe('answered')
  await live(world, 15_000)
  await world.settled()
  expect(childOf(world, sid).status).toBe('completed')
  expect(await world.theCall(id)).toMatchObject({
    outcome: 'limit',
    answered_ms: 2 * minuteMs,
    cost: 40_000,
    hang_up: 'limit',
  })
})

test('a process whose calls another network carries leaves these alone', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await world.passTime(90_000)
  await world.block(id)
  const exchange = { ...world.services, nodeId: 'exchange', telephony: createSimulatedNetwork() }
  expect(await inquireAboutCalls(exchange)).toBe(0)
  expect(await enforceCarrierCalls(exchange)).toBe(0)
  expect(await world.theCall(id)).toMatchObject({
    state: 'answered',
    hang_up: 'call_blocked',
    tended_until: null,
  })
  await enforceCarrierCalls(world.services)
  await world.settled()
  expect(world.fake.switchboard.leg(sid).status).toBe('completed')
})

test('a limit that was raised before the telephone rang is set in the end', async () => {
  const { id } = await world.addUser({ credit: 0.04 })
  world.fake.switchboard.anybody = { does: 'rings' }
  const sid = await world.call(id)
  const child = childOf(world, sid)
  await world.db.query('update call set limit_ms = 300000, limit_raised = true where user_id = $1', [id])
  world.fake.switchboard.legs.delete(child.sid)
  await enforceCarrierCalls(world.services)
  expect(await world.theCall(id)).toMatchObject({ limit_raised: true })
  world.fake.switchboard.legs.set(child.sid, child)
  await world.passTime(30_000)
  await enforceCarrierCalls(world.services)
  expect(child.timeLimitSeconds).toBe(300)
  expect(await world.theCall(id)).toMatchObject({ limit_raised: false })
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
})

test('tells the carrier to hang up while the database is away, and asks later', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  const { id: callId } = await world.theCall(id)
  await world.passTime(30_000)
  world.fake.webhooks.mode = 'drop'
  world.fake.switchboard.hangUp(sid, 'callee')
  await world.db.query('alter table call rename to call_away')
  try {
    const answer = await reportStatus(world, `call=${callId}&dial=over`, {
      DialCallStatus: 'completed',
      DialCallDuration: '30',
    })
    expect(answer).toMatchObject({ kind: 'failed', body: expect.stringContaining('<Hangup/>') })
  } finally {
    await world.db.query('alter table call_away rename to call')
  }
  await live(world, 5000)
  expect(await world.theCall(id)).toMatchObject({ answered_ms: 30_000, cost: 20_000 })
})

test('a telephone’s leg stuck in progress under a completed caller’s leg settles minutes after its limit', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await live(world, 30_000)
  const { limit_ms: limitMs } = await world.theCall(id)
  const child = world.fake.switchboard.strand(sid)
  // Nobody gets through with a hang-up.
  const withoutHangUps = async () => 0
  await live(world, limitMs - 30_000, withoutHangUps)
  expect((await world.theCall(id)).state).toBe('answered')
  await live(world, 8 * minuteMs, withoutHangUps)
  const settled = await world.theCall(id)
  expect(settled.state).toBe('ended')
  expect(settled.answered_ms).toBeLessThanOrEqual(limitMs)
  await runJobs(world)
  expect(child.status).toBe('completed')
}, 120_000)

test.each([['ringing'], ['queued']] as const)(
  'a telephone’s leg stuck %s under a completed caller’s leg holds nothing for ever, and is hung up',
  async status => {
    const { id } = await world.addUser({ credit: 1 })
    world.fake.switchboard.anybody = { does: 'rings' }
    const sid = await world.call(id)
    const child = world.fake.switchboard.strand(sid)
    child.status = status
    await live(world, 2 * minuteMs)
    expect((await world.theCall(id)).state).not.toBe('ended')
    await live(world, 6 * minuteMs)
    expect(await world.theCall(id)).toMatchObject({
      state: 'ended',
      answered_ms: null,
      cost: 0,
      budget: null,
    })
    await runJobs(world)
    expect(child.status).toBe('completed')
  },
)

test('a caller’s leg stuck in progress that rings nobody holds nothing for ever, and is hung up', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'rings' }
  const sid = await world.call(id)
  world.fake.switchboard.legs.delete(world.fake.switchboard.strand(sid).sid)
  const caller = world.fake.switchboard.leg(sid)
  Object.assign(caller, { status: 'in-progress', endedAt: null })
  await live(world, 8 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: null, cost: 0, budget: null })
  await runJobs(world)
  expect(caller.status).toBe('completed')
})

test('hanging up ends the telephone’s leg too where the vendor has lost hold of it', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  const child = world.fake.switchboard.strand(sid)
  await world.twilio.hangUp((await world.theCall(id)).id, 'call_blocked')
  expect(child.status).toBe('completed')
})
