import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRunningClock, type MovableClock } from '#support/movable-clock.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { listen, openHandset, pickUp, register, ringing } from './handset-phone.ts'
import { dial, Phone, type PlacedCall, until, Wire } from './phone.ts'

const number = '+442071838750'

let clock: MovableClock
let world: ExchangeWorld
const phones: Phone[] = []
beforeEach(async () => {
  clock = createRunningClock()
  world = await startExchange({ clock, ttl: 3600 })
})
afterEach(async () => {
  await world.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

function browser(): Phone {
  const phone = new Phone(['opus', 'PCMU'])
  phones.push(phone)
  return phone
}

const claim = (to = number, token?: string) =>
  world.exchange.claimNumber({ number: to, whenCalled: 'ring', token })

async function connect(): Promise<Wire> {
  const { token } = await world.exchange.issueVoiceToken('user-1')
  return (await new Wire(world.host).open()).listen(token)
}

async function ringUp(to = number): Promise<PlacedCall> {
  const placed = await dial(await connect(), to, browser())
  placed.phone.speakOpus(0xaa)
  return placed
}

/** The code with which a call to the number is rejected before it rings. */
async function rejection(to = number): Promise<number> {
  const wire = await connect()
  const params = new URLSearchParams({ To: to }).toString()
  wire.send('invite', { callsid: 'TJS1', sdp: await browser().offer(), twilio: { params } })
  return (await wire.frame('hangup')).error.code
}

async function converse() {
  const handset = await openHandset(world, number)
  const caller = await ringUp()
  const phone = await pickUp(handset.wire, browser())
  phone.speakOpus(0xbb)
  await caller.wire.frame('answer')
  await listen(caller.phone, 5, ({ payload }) => payload[0] === 0xbb)
  return { handset, caller, phone }
}

const end = () => until(() => world.control.events.find(event => event.kind === 'ended'), 'the end')

/** Until what the other side does about it has been done: two turns of the socket. */
async function settled(wire: Wire): Promise<void> {
  const before = wire.frames.filter(frame => frame.type === 'ack').length
  wire.send('message', { callsid: 'none', messagetype: 'user-defined-message', voiceeventsid: 'KX' })
  await wire.frame('ack', before)
}

test('a number is taken while another handset can be reached there, and free once it is released', async () => {
  const { wire } = await openHandset(world, number)
  expect(await claim()).toEqual({ ok: false, code: 'number_taken' })
  expect((await claim('+442071838751')).ok).toBe(true)
  wire.send('register', { media: { audio: false } })
  await wire.frame('offline')
  expect(await claim()).toMatchObject({ ok: true })
})

test('ignores a claim whose handset has never come, and forgets it after 10 s', async () => {
  await claim()
  expect(world.exchange.claims()).toHaveLength(1)
  expect((await claim()).ok).toBe(true)
  expect(world.exchange.claims()).toHaveLength(1)
  clock.advance(10_000)
  expect(world.exchange.claims()).toEqual([])
})

test('a handset that claims again keeps its place, and may change what it does or its number', async () => {
  const { token } = await openHandset(world, number)
  const again = await world.exchange.claimNumber({ number, whenCalled: 'busy', token })
  expect(again.ok).toBe(true)
  expect(await rejection()).toBe(31486)
  expect((await claim('+442071838751', token)).ok).toBe(true)
  expect(world.exchange.claims()).toMatchObject([{ number: '+442071838751', whenCalled: 'ring' }])
})

test('it keeps its place also with a token that has expired, not with one that is none', async () => {
  const { token } = await openHandset(world, number)
  clock.advance(3_601_000)
  expect((await claim(number, token)).ok).toBe(true)
  expect(await claim(number, 'x.y.z')).toEqual({ ok: false, code: 'number_taken' })
  const caller = await world.exchange.issueVoiceToken('user-1')
  expect(await claim(number, caller.token)).toEqual({ ok: false, code: 'number_taken' })
})

test('a claim replaces the script of a test number while it lasts', async () => {
  const { wire } = await openHandset(world, '+12125550101')
  await ringUp('+12125550101')
  await ringing(wire)
  wire.send('register', { media: { audio: false } })
  await wire.frame('offline')
  expect(await rejection('+12125550101')).toBe(31486)
})

test("nobody answers where the handset's socket was lost; when it comes back it rings there", async () => {
  const { wire, token } = await openHandset(world, number)
  wire.drop()
  await settled(await connect())
  expect(await rejection()).toBe(31480)
  const back = await register(world.host, token)
  await ringUp()
  await ringing(back)
})

test('a claim outlives its socket by 10 s, and the token renews it unless the number has gone', async () => {
  const { wire, token } = await openHandset(world, number)
  wire.drop()
  await until(() => wire.socket.readyState === wire.socket.CLOSED, 'the drop')
  await until(() => world.exchange.claims().length === 1, 'the claim')
  await settled(await connect())
  clock.advance(10_000)
  expect(world.exchange.claims()).toEqual([])
  const back = await register(world.host, token)
  expect(world.exchange.claims()).toMatchObject([{ number }])
  back.send('register', { media: { audio: false } })
  await back.frame('offline')
  await openHandset(world, number)
  back.send('register', { media: { audio: true } })
  expect(await back.frame('error')).toMatchObject({ error: { code: 31204 } })
  await back.frame('close')
})

test('nothing rings at a handset whose token has expired', async () => {
  const { wire } = await openHandset(world, number)
  clock.advance(3_601_000)
  await wire.frame('offline')
  expect(await rejection()).toBe(31480)
})

test('100 handsets at most', async () => {
  for (let index = 0; index < 100; index++) await claim(`+4420718388${String(index).padStart(2, '0')}`)
  expect(await claim()).toEqual({ ok: false, code: 'too_many_handsets' })
})

test('the token of a handset places no call, and a caller cannot be one', async () => {
  const { wire } = await openHandset(world, number)
  wire.send('invite', { callsid: 'TJS1', sdp: 'v=0', twilio: { params: 'To=%2B12125550100' } })
  expect(await wire.frame('hangup')).toMatchObject({ callsid: 'TJS1', error: { code: 31201 } })
  expect(world.control.attempts).toEqual([])
  const caller = await connect()
  caller.send('register', { media: { audio: true } })
  await caller.frame('ready')
  expect(world.exchange.claims()).toHaveLength(1)
})

test('a handset has no say in the calls of others', async () => {
  const { caller } = await converse()
  const stranger = await openHandset(world, '+442071838751')
  for (const type of ['hangup', 'reject'] as const) stranger.wire.send(type, { callsid: caller.callId })
  stranger.wire.send('answer', { callsid: caller.callId, sdp: 'v=0' })
  expect(await stranger.wire.frame('hangup')).toMatchObject({ error: { code: 31209 } })
  expect(world.exchange.live()).toEqual([caller.callId])
})

test('after 90 s of ringing the call is unanswered, and the handset stops ringing', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await ringUp()
  await ringing(wire)
  clock.advance(90_000)
  expect(await wire.frame('cancel')).toEqual({ callsid: caller.callId })
  expect(await end()).toMatchObject({ end: 'no_answer', answeredMs: null })
})

test('a handset that goes while it rings has not answered', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await ringUp()
  await ringing(wire)
  wire.drop()
  expect(await caller.wire.frame('hangup')).toMatchObject({ error: { code: 31480 } })
})

test('a handset that picks up and is never heard fails the call after 15 s, unanswered', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await ringUp()
  const { callsid, sdp } = await ringing(wire)
  const phone = browser()
  const answer = await phone.reply(sdp)
  await phone.connection.close()
  wire.send('answer', { callsid, sdp: answer })
  await listen(caller.phone, 10)
  clock.advance(15_000)
  expect(await end()).toMatchObject({ end: 'failed', answeredMs: null })
  await wire.frame('hangup')
})

test('a handset that falls silent for 45 s is lost, and the caller pays until it was last heard', async () => {
  const { handset, caller, phone } = await converse()
  clock.advance(20_000)
  await listen(caller.phone, 10, ({ payload }) => payload[0] === 0xbb)
  phone.fallSilent()
  // Silence in its place: half a second of real time has passed without a packet.
  await listen(caller.phone, 5, ({ payloadType }) => payloadType === 0)
  clock.advance(45_000)
  const ended = await end()
  expect(ended).toMatchObject({ end: 'connection_lost' })
  const answeredMs = ended.kind === 'ended' ? (ended.answeredMs ?? 0) : 0
  expect(answeredMs).toBeGreaterThanOrEqual(20_000)
  expect(answeredMs).toBeLessThan(45_000)
  expect(await handset.wire.frame('hangup')).toMatchObject({ error: { code: 31003 } })
})

test('a handset whose socket does not come back within 30 s is lost', async () => {
  const { handset } = await converse()
  handset.wire.drop()
  await settled(await connect())
  await settled(await connect())
  clock.advance(30_000)
  expect(await end()).toMatchObject({ end: 'connection_lost' })
})

test('an invalid offer of a handset ends nothing', async () => {
  const { handset, caller, phone } = await converse()
  handset.wire.send('reinvite', { callsid: caller.callId, sdp: 'not an SDP' })
  await listen(phone, 10, ({ payload }) => payload[0] === 0xaa)
  expect(world.exchange.live()).toEqual([caller.callId])
})

test('an answer that is none fails the call', async () => {
  const { wire } = await openHandset(world, number)
  await ringUp()
  wire.send('answer', { callsid: (await ringing(wire)).callsid, sdp: 'not an SDP' })
  expect(await end()).toMatchObject({ end: 'failed', answeredMs: null })
})

test('neither numbers nor tokens of handsets are written to the log', async () => {
  const { handset, caller } = await converse()
  caller.wire.send('hangup', { callsid: caller.callId })
  await end()
  const written = JSON.stringify(world.log)
  expect(written).not.toContain('2071838750')
  expect(written).not.toContain(handset.token)
})
