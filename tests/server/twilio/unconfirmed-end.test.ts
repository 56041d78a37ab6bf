import twilio from 'twilio'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { firstInquiryMs, inquireAboutCalls } from '#server/calls/carrier/poll-carrier.ts'
import { sweepCalls } from '#server/calls/carrier/sweep.ts'
import { enforceCarrierCalls } from '#server/calls/metering/enforce-carrier-calls.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { fakeAccount } from '#support/fake-twilio/fake-twilio.ts'
import { createSimulatedNetwork } from '#support/simulated-network.ts'
import { createTwilioWorld, publicUrl, type TwilioWorld } from './twilio-world.ts'

const minuteMs = 60_000

let world: TwilioWorld
beforeAll(async () => {
  world = await createTwilioWorld({ appStatus: true })
})
afterEach(async () => {
  world.fake.webhooks.mode = 'deliver'
  world.fake.switchboard.anybody = { does: 'answers' }
  // Calls that are still running do not matter to the next test.
  await world.db.query('update call set inquire_at = null where inquire_at is not null')
  await world.expectSound()
})
afterAll(() => world.close())

/** So much time passes, in which the loops of one process do their turns. */
async function live(ms: number, tend: typeof enforceCarrierCalls = enforceCarrierCalls): Promise<void> {
  for (let passed = 0; passed < ms; passed += 5000) {
    await world.passTime(Math.min(5000, ms - passed))
    await chargeDueMinutes(world.services)
    await tend(world.services)
    await sweepCalls(world.services)
    await inquireAboutCalls(world.services)
  }
}

const runJobs = () =>
  runDueJobs({
    db: world.db,
    clock: world.clock,
    mailer: { send: async () => undefined },
    hangUp: callId => world.twilio.hangUp(callId, 'already_settled'),
    onFailure: ({ kind }) => expect.fail(`a job failed: ${kind}`),
  })

const balanceOf = async (userId: string) => {
  const [account] = await world.db.query<{ balance: number }>(
    'select balance from account where user_id = $1',
    [userId],
  )
  return account?.balance
}

/** The carrier's report about a call, signed. */
async function reportStatus(query: string, parameters: Record<string, string>) {
  const path = `/api/webhooks/twilio/status?${query}`
  const form = { AccountSid: fakeAccount.accountSid, ...parameters }
  const signature = twilio.getExpectedTwilioSignature(fakeAccount.authToken, publicUrl + path, form)
  return world.twilio.receive('status', { path, body: new URLSearchParams(form).toString(), signature })
}

function childOf(sid: string) {
  const child = world.fake.switchboard.childOf(sid)
  if (child === undefined) throw new Error('no telephone was rung')
  return child
}

/** Somebody hangs up, no report arrives, and the telephone's leg is not listed. */
function endUnlisted(sid: string): () => void {
  const child = childOf(sid)
  world.fake.webhooks.mode = 'drop'
  world.fake.switchboard.hangUp(sid, 'callee')
  world.fake.switchboard.legs.delete(child.sid)
  return () => void world.fake.switchboard.legs.set(child.sid, child)
}

test('an answered call whose telephone’s leg is listed late is settled to what it was', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await live(150_000)
  const list = endUnlisted(sid)
  // The caller's leg is reported, but the list lags behind.
  await reportStatus('', { CallSid: sid, CallStatus: 'completed' })
  await live(10_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'answered' })
  list()
  await live(5000)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 150_000, cost: 60_000 })
  expect(await balanceOf(id)).toBe(940_000)
})

test('the same if the answer was never reported either', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await world.passTime(15_000)
  const list = endUnlisted(sid)
  await live(10_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'placed' })
  list()
  await live(10_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 15_000, cost: 20_000 })
})

test('a call whose length is never reported keeps what it cost while the carrier said that it lasted', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await live(170_000)
  endUnlisted(sid)
  await live(4 * minuteMs)
  expect((await world.theCall(id)).state).toBe('answered')
  await live(4 * minuteMs)
  // Last listed at 140 s.
  expect(await world.theCall(id)).toMatchObject({
    outcome: 'interrupted',
    answered_ms: 140_000,
    cost: 60_000,
  })
  expect(await balanceOf(id)).toBe(940_000)
  expect(world.logged.some(line => line.includes('nobody reported the length of an answered call'))).toBe(
    true,
  )
})

test.each([
  ['failed', 'before it was first asked about', 12_000, 20_000],
  ['busy', 'later', 70_000, 20_000],
])(
  'an end without an answer (%s) is not believed of a call that was answered, %s',
  async (status, _, lastedMs, cost) => {
    const { id } = await world.addUser({ credit: 1 })
    const sid = await world.call(id)
    await live(lastedMs)
    const call = await world.theCall(id)
    await reportStatus(`call=${call.id}`, { CallStatus: status, CallDuration: '0' })
    expect((await world.theCall(id)).state).toBe('answered')
    expect(await balanceOf(id)).toBe(1_000_000 - Math.ceil(lastedMs / minuteMs) * 20_000)
    // And the vendor never says anything better: what is sure is how long it lasted when it was last asked, after 40 s.
    endUnlisted(sid)
    await live(10 * minuteMs)
    expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'interrupted', cost })
  },
)

test('a call that failed after so many seconds is charged for them', async () => {
  const { id } = await world.addUser({ credit: 1 })
  await world.call(id)
  await world.passTime(150_000)
  const call = await world.theCall(id)
  await reportStatus(`call=${call.id}`, { CallStatus: 'failed', CallDuration: '150', SipResponseCode: '503' })
  expect(await world.theCall(id)).toMatchObject({
    outcome: 'connection_lost',
    answered_ms: 150_000,
    cost: 60_000,
  })
})

test('a call that the carrier no longer knows keeps its metered time, and is hung up where it continues', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  const legs = [world.fake.switchboard.leg(sid), childOf(sid)]
  for (const leg of legs) world.fake.switchboard.legs.delete(leg.sid)
  await live(90_000)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'interrupted', cost: 40_000 })
  for (const leg of legs) world.fake.switchboard.legs.set(leg.sid, leg)
  expect(legs.map(({ status }) => status)).toEqual(['in-progress', 'in-progress'])
  await runJobs()
  expect(legs.map(({ status }) => status)).toEqual(['completed', 'completed'])
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({ cost: 40_000 })
})

test('hangs up a settled call of which an event arrives', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'rings' }
  const sid = await world.call(id)
  const { id: callId } = await world.theCall(id)
  await reportStatus(`call=${callId}`, { CallStatus: 'no-answer' })
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'no_answer' })
  world.fake.switchboard.answer(sid)
  await world.settled()
  await runJobs()
  expect(childOf(sid).status).toBe('completed')
  expect(await world.theCall(id)).toMatchObject({ cost: 0 })
})

test('a call that its network lets run past its limit is hung up', async () => {
  const { id } = await world.addUser({ credit: 0.04 })
  const sid = await world.call(id)
  childOf(sid).timeLimitSeconds = 14_400
  await live(2 * minuteMs + 10_000)
  expect((await world.theCall(id)).state).toBe('answered')
  await live(15_000)
  await world.settled()
  expect(childOf(sid).status).toBe('completed')
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
  const child = childOf(sid)
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

test('does not date an unreported answer before the call was last seen ringing', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'answers', afterMs: 50_000 }
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await live(85_000)
  const { placed_at, answered_at } = await world.theCall(id)
  expect((answered_at?.getTime() ?? 0) - placed_at.getTime()).toBe(2 * firstInquiryMs)
  expect(await balanceOf(id)).toBe(980_000)
  world.fake.webhooks.mode = 'deliver'
  world.fake.switchboard.hangUp(sid, 'callee')
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({ answered_ms: 35_000, cost: 20_000 })
})

test.each([['the telephone’s leg first'], ['the end of dialling first']])(
  'the telephone’s leg says why a call failed, whatever comes first: %s',
  async first => {
    const { id } = await world.addUser({ credit: 1 })
    world.fake.switchboard.anybody = { does: 'rings' }
    await world.call(id)
    const { id: callId } = await world.theCall(id)
    const acts = [
      () =>
        reportStatus(`call=${callId}`, { CallStatus: 'failed', SipResponseCode: '404', CallDuration: '0' }),
      () =>
        reportStatus(`call=${callId}&dial=over`, {
          DialCallStatus: 'failed',
          DialCallSid: `CA${'7'.repeat(32)}`,
        }),
    ]
    for (const act of first.includes('dialling') ? acts.toReversed() : acts) await act()
    expect((await world.theCall(id)).outcome).toBe('invalid_number')
  },
)

test('asks for the rest within seconds where only the end of dialling is reported', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'busy' }
  world.fake.webhooks.mode = 'hold'
  await world.call(id)
  const dialled = world.fake.webhooks.held.splice(0).filter(({ url }) => url.includes('dial=over'))
  expect(dialled).toHaveLength(1)
  for (const callback of dialled) await world.fake.webhooks.ask(callback)
  expect((await world.theCall(id)).state).not.toBe('ended')
  await live(5000)
  expect(await world.theCall(id)).toMatchObject({ outcome: 'busy', cost: 0 })
})

test('a call that is over, whose answer and length are never reported, costs nothing, and is logged', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await world.passTime(5000)
  endUnlisted(sid)
  const before = world.logged.length
  await live(8 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: null, cost: 0 })
  expect(world.logged.slice(before).join()).toContain(
    'a call is settled without a charge: nobody reported its length',
  )
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
    const answer = await reportStatus(`call=${callId}&dial=over`, {
      DialCallStatus: 'completed',
      DialCallDuration: '30',
    })
    expect(answer).toMatchObject({ kind: 'failed', body: expect.stringContaining('<Hangup/>') })
  } finally {
    await world.db.query('alter table call_away rename to call')
  }
  await live(5000)
  expect(await world.theCall(id)).toMatchObject({ answered_ms: 30_000, cost: 20_000 })
})

test('a telephone’s leg stuck in progress under a completed caller’s leg settles minutes after its limit', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await live(30_000)
  const { limit_ms: limitMs } = await world.theCall(id)
  const child = world.fake.switchboard.strand(sid)
  // Nobody gets through with a hang-up.
  const withoutHangUps = async () => 0
  await live(limitMs - 30_000, withoutHangUps)
  expect((await world.theCall(id)).state).toBe('answered')
  await live(8 * minuteMs, withoutHangUps)
  const settled = await world.theCall(id)
  expect(settled.state).toBe('ended')
  expect(settled.answered_ms).toBeLessThanOrEqual(limitMs)
  await runJobs()
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
    await live(2 * minuteMs)
    expect((await world.theCall(id)).state).not.toBe('ended')
    await live(6 * minuteMs)
    expect(await world.theCall(id)).toMatchObject({
      state: 'ended',
      answered_ms: null,
      cost: 0,
      budget: null,
    })
    await runJobs()
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
  await live(8 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: null, cost: 0, budget: null })
  await runJobs()
  expect(caller.status).toBe('completed')
})

test('trusts an answer that is reported minutes after the dialling', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.anybody = { does: 'rings' }
  world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  await live(4 * minuteMs)
  world.fake.switchboard.answer(sid)
  await live(minuteMs)
  expect((await world.theCall(id)).state).toBe('answered')
  world.fake.webhooks.mode = 'deliver'
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
})

test('hanging up ends the telephone’s leg too where the vendor has lost hold of it', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  const child = world.fake.switchboard.strand(sid)
  await world.twilio.hangUp((await world.theCall(id)).id, 'call_blocked')
  expect(child.status).toBe('completed')
})
