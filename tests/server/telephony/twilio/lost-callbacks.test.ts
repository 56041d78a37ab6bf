import { afterEach, expect, test } from 'vitest'
import { firstInquiryMs, inquireAboutCalls } from '#server/calls/carrier/poll-carrier.ts'
import { sweepCalls, sweepMs } from '#server/calls/carrier/sweep.ts'
import { enforceCarrierCalls } from '#server/calls/metering/enforce-carrier-calls.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { placingGraceMs, reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import type { Services } from '#server/context.ts'
import { post } from '#server/ledger/ledger.ts'
import { webhookPaths } from '#server/telephony/twilio/webhook-paths.ts'
import { keepForFile } from '#support/file-world.ts'
import { american, createTwilioWorld } from './twilio-world.ts'

const minuteMs = 60_000

const world = keepForFile(await createTwilioWorld())
afterEach(async () => {
  world.fake.webhooks.mode = 'deliver'
  world.fake.outage = undefined
  world.fake.switchboard.callees.clear()
  await world.expectSound()
})

/** As the process would be that starts after this one was killed, or that runs beside it. */
const otherProcess = (): Services => ({ ...world.services, nodeId: 'another-process' })

/** An answered call about which no more reports will arrive. */
async function unheard(credit = 1, delivered = false): Promise<{ id: string; sid: string }> {
  const { id } = await world.addUser({ credit })
  if (!delivered) world.fake.webhooks.mode = 'drop'
  const sid = await world.call(id)
  world.fake.webhooks.mode = 'drop'
  return { id, sid }
}

/** So much time passes, in which the loops of one process do their turns; fewer of them where it is long. */
async function live(ms: number, services = world.services): Promise<void> {
  const stepMs = Math.max(5000, ms / 40)
  for (let passed = 0; passed < ms; passed += stepMs) {
    await world.passTime(Math.min(stepMs, ms - passed))
    await chargeDueMinutes(services)
    await enforceCarrierCalls(services)
    await sweepCalls(services)
    await inquireAboutCalls(services)
  }
}

const asked = () =>
  world.fake.requests.filter(({ method, path }) => method === 'GET' && path === 'Calls.json').length

test('REL-13: finds by polling an answer and an end that were never reported', async () => {
  const { id, sid } = await unheard()
  expect((await world.theCall(id)).state).toBe('placed')
  await live(firstInquiryMs)
  const answered = await world.theCall(id)
  expect(answered.state).toBe('answered')
  expect(answered.answered_at).toEqual(answered.placed_at)
  await live(70_000)
  world.fake.switchboard.hangUp(sid, 'callee')
  await live(5 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 90_000, cost: 40_000 })
})

test('REL-13: a call whose dialling never reached the vendor is settled without a charge', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.losesNextAnswer = true
  const { outcome } = await world.fake.switchboard.connect(id, { To: american })
  expect(outcome).toBe('application_error')
  expect((await world.theCall(id)).state).toBe('placed')
  await live(firstInquiryMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'failed', cost: 0 })
})

test('REL-1: a server that is killed changes nothing of the call, and another one settles it', async () => {
  const { id, sid } = await unheard(1, true)
  await world.passTime(3 * minuteMs)
  expect(world.fake.switchboard.leg(sid).status).toBe('in-progress')
  const services = otherProcess()
  // What a process does at its start, and what it does for calls whose process fell silent.
  const before = asked()
  await reconcileCalls(services, 0)
  await reconcileCalls(services, placingGraceMs)
  expect(asked()).toBe(before)
  expect((await world.theCall(id)).state).toBe('answered')
  world.fake.switchboard.hangUp(sid, 'caller')
  await live(15_000, services)
  expect(await world.theCall(id)).toMatchObject({
    state: 'ended',
    outcome: 'completed',
    answered_ms: 3 * minuteMs,
    cost: 60_000,
  })
})

test('a telephone that rings again, as the answer to its end was lost, shortens no call', async () => {
  const { id, sid } = await unheard(1, true)
  const { switchboard } = world.fake
  const { legs } = switchboard
  await live(150_000)
  const talk = switchboard.childOf(sid)
  if (talk === undefined) throw new Error('no telephone was rung')
  switchboard.hangUp(sid, 'callee')
  // The vendor asks the fallback, which knows nothing of the end and dials as before.
  switchboard.callees.set(american, { does: 'no_answer' })
  await switchboard.ask(switchboard.leg(sid), { To: american, ErrorCode: '11200' })
  // In the order that would mislead: the later leg first.
  legs.delete(talk.sid)
  legs.set(talk.sid, talk)
  const ofCallee = [...legs.values()].filter(({ parent }) => parent === sid)
  expect(ofCallee.map(({ status }) => status)).toEqual(['no-answer', 'completed'])
  await live(sweepMs + 5000)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 150_000, cost: 60_000 })
})

test('a telephone does not ring again when the answer to the end of its call is lost', async () => {
  const { id, sid } = await unheard(1, true)
  const { switchboard } = world.fake
  await live(150_000)
  switchboard.hangUp(sid, 'callee')
  const { id: callId } = await world.theCall(id)
  const ErrorUrl = `${world.services.publicUrl}${webhookPaths.status}?call=${callId}&dial=over`
  await switchboard.ask(switchboard.leg(sid), { To: american, ErrorCode: '11200', ErrorUrl })
  expect([...switchboard.legs.values()].filter(({ parent }) => parent === sid)).toHaveLength(1)
  await live(5 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 150_000, cost: 60_000 })
})

test('REL-1: with no server at all a call runs to its limit at most', async () => {
  const { id, sid } = await unheard(0.06, true)
  await world.passTime(6 * 60 * minuteMs)
  expect(world.fake.switchboard.leg(sid).status).toBe('completed')
  await live(5000, otherProcess())
  expect(await world.theCall(id)).toMatchObject({ outcome: 'limit', answered_ms: 3 * minuteMs, cost: 60_000 })
})

test('REL-1: a process that stops ends no call', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await world.services.telephony.close()
  expect(world.fake.switchboard.leg(sid).status).toBe('in-progress')
  expect((await world.theCall(id)).state).toBe('answered')
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
})

test('while the vendor cannot be asked a call is left alone, and is settled to what it was once it can', async () => {
  const { id, sid } = await unheard(0.1, true)
  await live(60_000)
  world.fake.switchboard.hangUp(sid, 'callee')
  world.fake.outage = 'error'
  await live(20 * minuteMs)
  // The meter ran on, and no further than the limit.
  expect(await world.theCall(id)).toMatchObject({ state: 'answered' })
  const [charged] = await world.db.query(
    'select minutes from call_meter join call on call.id = call_id where user_id = $1',
    [id],
  )
  expect(charged).toEqual({ minutes: 5 })
  world.fake.outage = undefined
  await live(5 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 60_000, cost: 20_000 })
})

test('one of several processes lists the running calls, once a minute, and polls no call that was reported', async () => {
  const { id, sid } = await unheard(1, true)
  const processes = [world.services, otherProcess(), { ...world.services, nodeId: 'a third' }]
  const before = asked()
  world.clock.advance(firstInquiryMs)
  await Promise.all(processes.map(sweepCalls))
  await Promise.all(processes.map(inquireAboutCalls))
  expect(asked() - before).toBe(1)
  await live(40 * minuteMs)
  expect(asked() - before).toBeLessThanOrEqual(42)
  world.fake.switchboard.hangUp(sid, 'callee')
  await live(2 * minuteMs)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', outcome: 'completed' })
})

test('the list distinguishes an answer that was reported from one that was not', async () => {
  const heard = await unheard(1, true)
  const lost = await unheard(1)
  await live(firstInquiryMs)
  expect((await world.theCall(lost.id)).state).toBe('answered')
  for (const { sid } of [heard, lost]) world.fake.switchboard.hangUp(sid, 'callee')
  await live(sweepMs + 5000)
  for (const { id } of [heard, lost]) expect((await world.theCall(id)).state).toBe('ended')
})

test('polls a call soon after its limit, however old it is', async () => {
  const { id } = await unheard(0.6, true)
  await live(30 * minuteMs + 20_000)
  expect(await world.theCall(id)).toMatchObject({ outcome: 'limit', answered_ms: 30 * minuteMs })
})

test('any process repeats a failed hang-up for lack of credit, with its reason', async () => {
  const { id, sid } = await unheard(0.1, true)
  const [account] = await world.db.query<{ id: number }>('select id from account where user_id = $1', [id])
  const at = world.clock.now()
  // Spent elsewhere meanwhile, so that the next minute cannot be paid.
  await post(world.db, {
    key: `test:${id}`,
    debit: account?.id ?? 0,
    credit: 'payments',
    amountMicroUsd: 80_000,
    at,
  })
  world.fake.outage = 'busy'
  await world.passTime(61_000)
  await chargeDueMinutes(world.services)
  expect(await enforceCarrierCalls(world.services)).toBe(1)
  expect(world.fake.switchboard.leg(sid).status).toBe('in-progress')
  world.fake.outage = undefined
  world.fake.webhooks.mode = 'deliver'
  // The first one may be at it still.
  expect(await enforceCarrierCalls(otherProcess())).toBe(0)
  await world.passTime(30_000)
  expect(await enforceCarrierCalls(otherProcess())).toBe(1)
  await world.settled()
  expect(world.fake.switchboard.leg(sid).status).toBe('completed')
  expect(await world.theCall(id)).toMatchObject({
    outcome: 'limit',
    cost: 20_000,
    hang_up: 'no_credits',
  })
})

test('any process cuts off a user who may no longer call', async () => {
  const { id, sid } = await unheard(1, true)
  world.fake.webhooks.mode = 'deliver'
  await world.block(id)
  await Promise.all([enforceCarrierCalls(world.services), enforceCarrierCalls(otherProcess())])
  await world.settled()
  expect(world.fake.switchboard.leg(sid).status).toBe('completed')
  expect(await world.theCall(id)).toMatchObject({
    state: 'ended',
    outcome: 'failed',
    hang_up: 'call_blocked',
  })
  const hangUps = world.fake.requests.filter(
    ({ path, method }) => method === 'POST' && path === `Calls/${sid}.json`,
  )
  expect(hangUps).toHaveLength(1)
})

test('sets a limit that a top-up raised on the telephone’s leg', async () => {
  const { id, sid } = await unheard(0.04, true)
  await world.db.query('update call set limit_ms = 300000, limit_raised = true where user_id = $1', [id])
  await world.db.query(
    'update call_meter set max_minutes = 5 where call_id = (select id from call where user_id = $1)',
    [id],
  )
  expect(await enforceCarrierCalls(otherProcess())).toBe(1)
  expect(world.fake.switchboard.childOf(sid)?.timeLimitSeconds).toBe(300)
  expect(await enforceCarrierCalls(world.services)).toBe(0)
  world.fake.switchboard.hangUp(sid, 'callee')
  await live(sweepMs)
  expect((await world.theCall(id)).state).toBe('ended')
})
