import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { american, createTwilioWorld, publicUrl } from './twilio-world.ts'

const minuteMs = 60_000

const world = keepForFile(await createTwilioWorld())
afterEach(async () => {
  world.fake.webhooks.mode = 'deliver'
  world.fake.webhooks.held.length = 0
  world.fake.switchboard.callees.clear()
  await world.expectSound()
})

test('a call is dialled with the limit that the balance covers, and charged by the minute', async () => {
  const { id } = await world.addUser({ credit: 0.1 })
  const sid = await world.call(id)
  const answer = world.fake.webhooks.delivered.find(({ url }) => url.endsWith('/voice'))
  const call = await world.theCall(id)
  expect(answer?.body).toContain(
    `<Dial answerOnBridge="true" callerId="${world.fake.settings.publicNumber}" timeLimit="300"`,
  )
  expect(answer?.body).toContain(`${publicUrl}/api/webhooks/twilio/status?call=${call.id}`)
  expect(call).toMatchObject({ state: 'answered', carrier_leg: sid, node: null, limit_ms: 5 * minuteMs })
  await world.passTime(61_000)
  world.fake.switchboard.hangUp(sid, 'callee')
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({
    state: 'ended',
    outcome: 'completed',
    answered_ms: 61_000,
    cost: 40_000,
  })
  expect(await world.balanceOf(id)).toBe(60_000)
})

test('shows a caller ID of the user’s own, and rejects another user’s with a text', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const own = '+442071838750'
  const verificationId = world.services.random.uuid()
  await world.services.telephony.verifyNumber({ verificationId, number: own, rateMicroUsd: 20_000 })
  const code = world.fake.callerIds.requests.at(-1)?.code
  await world.db.query('insert into caller_id values ($1, $2, $3)', [id, own, world.clock.now()])
  world.fake.webhooks.mode = 'drop'
  world.fake.callerIds.keyIn(own, code)
  world.fake.webhooks.mode = 'deliver'
  const sid = await world.call(id, american, { CallerId: own })
  expect(world.fake.switchboard.childOf(sid)).toMatchObject({ from: own, status: 'in-progress' })
  world.fake.switchboard.hangUp(sid, 'caller')
  const other = await world.addUser({ credit: 1 })
  await world.call(other.id, american, { CallerId: own })
  expect(await world.calls(other.id)).toEqual([])
  expect(world.notices.at(-1)).toMatchObject({
    kind: 'call_error',
    userId: other.id,
    event: { message: expect.stringContaining("isn't verified for your account") },
  })
})

test('a call into the EEA shows the number there; with an own number from outside it is placed at the price shown', async () => {
  const german = '+4915123456789'
  const { eeaNumber } = world.fake.settings
  const { id } = await world.addUser({ credit: 2 })
  const sid = await world.call(id, german)
  expect(world.fake.switchboard.childOf(sid)).toMatchObject({ from: eeaNumber })
  expect(await world.theCall(id)).toMatchObject({ rate: 23_000, surcharge: 0 })
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()

  const other = await world.addUser({ credit: 2 })
  const own = '+12125550188'
  await world.db.query('insert into caller_id values ($1, $2, $3)', [other.id, own, world.clock.now()])
  world.fake.callerIds.verified.set('PN8', { sid: 'PN8', number: own, name: 'own' })
  await world.call(other.id, german, { CallerId: own })
  expect(await world.calls(other.id)).toEqual([])
  expect(world.notices.at(-1)).toMatchObject({
    event: { message: expect.stringContaining('costs $0.289 a minute. Press Call again') },
  })
  const agreed = await world.call(other.id, german, { CallerId: own, Rate: '289000' })
  expect(world.fake.switchboard.childOf(agreed)).toMatchObject({ from: own })
  expect(await world.theCall(other.id)).toMatchObject({ rate: 289_000, surcharge: 266_000 })
  world.fake.switchboard.hangUp(agreed, 'caller')
  await world.settled()
})

test('a rejection rings nobody, and its text goes to the caller’s page', async () => {
  const { id } = await world.addUser({ credit: 0 })
  const sid = await world.call(id)
  expect(world.fake.switchboard.leg(sid).status).toBe('busy')
  expect(world.fake.switchboard.childOf(sid)).toBeUndefined()
  expect(await world.calls(id)).toEqual([])
  const notices = world.notices.filter(({ userId, kind }) => userId === id && kind === 'call_error')
  expect(notices).toHaveLength(1)
})

test('REL-20: a second call beside a running one is rejected with a text for the page that made it', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const tier = world.services.policy.tiers.newly_paid.concurrentCalls
  const sids: string[] = []
  for (let count = 0; count < tier; count++)
    sids.push(await world.call(id, american, { Attempt: randomUUID() }))
  const before = world.notices.length
  const attempt = randomUUID()
  const refused = await world.call(id, american, { Attempt: attempt })
  expect(world.fake.switchboard.leg(refused).status).toBe('busy')
  expect(world.notices.slice(before)).toEqual([
    {
      kind: 'call_error',
      userId: id,
      event: { attempt, message: 'You already have a call in progress. Hang up there first.' },
    },
  ])
  // A page that names no call cannot say which one it means: its report would be taken for the other call's.
  await world.call(id)
  await world.call(id, american, { Attempt: `${attempt}' or ''='` })
  expect(world.notices).toHaveLength(before + 1)
  for (const sid of sids) {
    expect(world.fake.switchboard.leg(sid).status).toBe('in-progress')
    world.fake.switchboard.hangUp(sid, 'caller')
  }
  await world.settled()
})

test('events of a call name the attempt that made it', async () => {
  const { id } = await world.addUser({ credit: 0.02 })
  const attempt = randomUUID()
  await world.call(id, american, { Attempt: attempt })
  await world.passTime(2 * minuteMs)
  const call = await world.theCall(id)
  const notices = world.notices.flatMap(({ kind, userId, event }) =>
    userId === id && kind !== 'balance' ? [[kind, event]] : [],
  )
  expect(notices).toMatchObject([
    ['call', { id: call.id, attempt, state: 'ringing' }],
    ['call', { id: call.id, attempt, state: 'answered' }],
    ['call', { id: call.id, attempt, state: 'ended' }],
    ['call_error', { callId: call.id, attempt }],
  ])
})

test('a name that is no UUID is passed over, and the call placed', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id, american, { Attempt: 'mine' })
  expect(await world.theCall(id)).toMatchObject({ state: 'answered', attempt: null })
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
  const [event] = world.notices.flatMap(notice => (notice.userId === id ? [notice.event] : []))
  expect(event).not.toHaveProperty('attempt')
})

test('a call for a test comes as one, and costs nothing', async () => {
  const { id } = await world.addUser()
  await world.db.query('insert into caller_id values ($1, $2, $3)', [id, american, world.clock.now()])
  const sid = await world.call(id, american, { Purpose: 'test' })
  expect(await world.theCall(id)).toMatchObject({ purpose: 'test', free: true, limit_ms: minuteMs })
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', cost: 0 })
})

test('a call promised free that would be charged is rejected with a code, and rings nobody', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const attempt = randomUUID()
  const before = world.notices.length
  const sid = await world.call(id, american, { Attempt: attempt, Free: 'expected' })
  expect(world.fake.switchboard.leg(sid).status).toBe('busy')
  expect(world.fake.switchboard.childOf(sid)).toBeUndefined()
  expect(await world.calls(id)).toEqual([])
  const message = "Your free call isn't available. Press Call again to pay $0.020 a minute."
  expect(world.notices.slice(before)).toEqual([
    { kind: 'call_error', userId: id, event: { attempt, code: 'not_free', message } },
  ])
  const paid = await world.call(id, american, { Attempt: randomUUID() })
  expect(world.fake.switchboard.leg(paid).status).toBe('in-progress')
  world.fake.switchboard.hangUp(paid, 'caller')
  await world.settled()

  const free = await world.addUser({ credit: 1, freeCall: 'available' })
  const kept = await world.call(free.id, american, { Free: 'expected' })
  world.fake.switchboard.hangUp(kept, 'caller')
  await world.settled()
  expect(await world.theCall(free.id)).toMatchObject({ state: 'ended', free: true, cost: 0 })
})

test('the voice webhook delivered twice, and at once, makes one call', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.switchboard.callees.set(american, { does: 'rings' })
  const observed = world.observed.length
  const sid = await world.call(id, american, { Attempt: randomUUID() })
  const [first] = world.fake.webhooks.delivered.filter(({ parameters }) => parameters['CallSid'] === sid)
  if (first === undefined) throw new Error('the webhook was not asked')
  const again = await Promise.all([world.fake.webhooks.ask(first), world.fake.webhooks.ask(first)])
  expect(again.map(({ body }) => body)).toEqual([first.body, first.body])
  expect(await world.calls(id)).toHaveLength(1)
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
  expect(await world.theCall(id)).toMatchObject({ outcome: 'cancelled', cost: 0 })
  // Told once more when the call is over, it rings nobody.
  expect((await world.fake.webhooks.ask(first)).body).toContain('<Reject/>')
  expect(await world.calls(id)).toHaveLength(1)
  const placed = world.observed.slice(observed).filter(({ kind }) => kind === 'call_placed')
  expect(placed).toEqual([{ kind: 'call_placed', rejection: null }])
  expect(world.notices.filter(({ userId, kind }) => userId === id && kind === 'call_error')).toEqual([])
})
test('logs no number and no secret', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id, '+442071838750')
  world.fake.switchboard.hangUp(sid, 'callee')
  await world.call(id, 'not a number')
  await world.settled()
  world.expectNoSecretLogged()
})
