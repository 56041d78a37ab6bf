import { afterEach, beforeEach, expect, test } from 'vitest'
import { LevelMeter } from '#server/telephony/exchange/media/level-meter.ts'
import type { RejectionCode } from '#server/telephony/port.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { shareAt } from './goertzel.ts'
import { call, dial, invite, Phone, type PlacedCall, until, Wire } from './phone.ts'

let world: ExchangeWorld
const phones: Phone[] = []
beforeEach(async () => {
  world = await startExchange()
})
afterEach(async () => {
  await world.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

async function connect(userId = 'user-1', sessionId?: string): Promise<Wire> {
  const { token } = await world.exchange.issueVoiceToken(userId, sessionId)
  return (await new Wire(world.host).open()).listen(token)
}

async function callTone(wire: Wire): Promise<PlacedCall> {
  const placed = await call(wire, '+12125550100')
  phones.push(placed.phone)
  return placed
}

const kinds = () => world.control.events.map(event => event.kind)

test('plays 1004 Hz at 0 dBm0 to a caller of 0100, and reports ringing, answer and end in order', async () => {
  const wire = await connect()
  const { phone, callId } = await callTone(wire)
  await until(() => phone.heard.length > 30, 'half a second of sound')
  const heard = Buffer.concat(phone.heard.slice(5, 30))
  expect(shareAt(1004, heard)).toBeGreaterThan(0.98)
  const meter = new LevelMeter()
  meter.add(heard)
  expect(meter.level().dbm0).toBeCloseTo(0, 0)
  for (let index = 1; index < phone.timestamps.length; index++) {
    const stepOf = (phone.timestamps[index] ?? 0) - (phone.timestamps[index - 1] ?? 0)
    expect(stepOf % 160).toBe(0)
  }
  expect(world.exchange.live()).toEqual([callId])
  expect(await world.exchange.inspect(callId)).toMatchObject({ kind: 'live', answeredMs: expect.any(Number) })

  wire.send('hangup', { callsid: callId })
  await until(() => world.control.events.length === 3, 'the end')
  expect(kinds()).toEqual(['ringing', 'answered', 'ended'])
  expect(world.control.events[2]).toMatchObject({ callId, end: 'caller_hung_up' })
  expect(world.exchange.live()).toEqual([])
  expect(await world.exchange.inspect(callId)).toMatchObject({ kind: 'ended', end: 'caller_hung_up' })
})

test('asks the call service with what the browser sent, word for word', async () => {
  const wire = await connect('user-7', 'session-7')
  world.control.decide = () => ({ kind: 'refuse', code: 'invalid_number', message: 'no' })
  const asked = {
    To: 'any thing',
    CallerId: '+447123456789',
    Attempt: 'a1',
    Purpose: 'test',
    Free: 'expected',
  }
  const params = new URLSearchParams(asked).toString()
  wire.send('invite', { callsid: 'TJS1', sdp: 'v=0', twilio: { params } })
  wire.send('invite', { callsid: 'TJS2', sdp: 'v=0' })
  await wire.frame('hangup', 1)
  expect(world.control.attempts).toEqual([
    {
      userId: 'user-7',
      sessionId: 'session-7',
      to: 'any thing',
      callerId: '+447123456789',
      attempt: 'a1',
      purpose: 'test',
      expectsFree: true,
    },
    {
      userId: 'user-7',
      sessionId: 'session-7',
      to: '',
      callerId: undefined,
      attempt: undefined,
      purpose: 'call',
      expectsFree: false,
    },
  ])
})

test.each<[RejectionCode, number]>([
  ['invalid_number', 31404],
  ['unavailable', 31002],
  ['no_credits', 31903],
  ['free_call_limit', 31903],
  ['not_free', 31902],
  ['emergency_number', 31002],
])(
  'a call rejected for %s ends with %i and our own message, and is never reported',
  async (code, wireCode) => {
    const wire = await connect()
    world.control.decide = () => ({ kind: 'refuse', code, message: `because of ${code}` })
    wire.send('invite', { callsid: 'TJS1', sdp: 'v=0' })
    expect(await wire.frame('hangup')).toEqual({
      callsid: 'TJS1',
      error: { code: wireCode, message: `because of ${code}` },
    })
    expect(world.control.events).toEqual([])
  },
)

test('0101 is busy', async () => {
  const wire = await connect()
  await invite(wire, '+12125550101', new Phone(), 'TJS1')
  expect(await wire.frame('hangup')).toMatchObject({ callsid: 'TJS1', error: { code: 31486 } })
  await until(() => world.control.events.length === 1, 'the end')
  expect(world.control.events).toEqual([{ kind: 'ended', callId: 'call-1', answeredMs: null, end: 'busy' }])
})

test('any other number rings, answers, and receives every digit, also the one that ends the call', async () => {
  const wire = await connect()
  const placed = await dial(wire, '+442012345678')
  phones.push(placed.phone)
  await until(() => placed.phone.heard.length > 20, 'ringback')
  expect(shareAt(440, Buffer.concat(placed.phone.heard.slice(0, 20)))).toBeGreaterThan(0.4)
  wire.send('dtmf', { callsid: placed.callId, dtmf: '9' })
  await wire.frame('answer')
  for (const digit of '1234567890*#') wire.send('dtmf', { callsid: placed.callId, dtmf: digit })
  expect(await wire.frame('hangup')).toEqual({ callsid: placed.callId })
  expect(world.exchange.observe(placed.callId)?.digits).toBe('1234567890*#')
  expect(world.control.events.at(-1)).toMatchObject({ end: 'callee_hung_up' })
})

test('measures what the caller says, and its silence', async () => {
  const wire = await connect()
  const { phone, callId } = await callTone(wire)
  const received = () => world.exchange.observe(callId)?.received
  phone.speak({ hz: 700, dbm0: -10 })
  await until(() => Math.abs((received()?.level?.dbm0 ?? 0) + 10) < 0.5, 'the caller to be heard')
  phone.speak('silence')
  const before = received()?.packets ?? 0
  await until(() => received()?.level?.dbm0 === -90, 'silence')
  expect(received()?.packets).toBeGreaterThan(before + 10)
  expect(world.exchange.observe(callId)?.sent.level?.dbm0).toBeCloseTo(0, 0)
})

test('keeps several calls at once apart', async () => {
  const first = await callTone(await connect('user-1'))
  const second = await callTone(await connect('user-2'))
  expect(world.exchange.live()).toEqual([first.callId, second.callId])
  first.wire.send('hangup', { callsid: second.callId })
  first.wire.send('hangup', { callsid: first.callId })
  await until(() => world.exchange.live().length === 1, 'one call to end')
  expect(world.exchange.live()).toEqual([second.callId])
  const heardSoFar = second.phone.heard.length
  await until(() => second.phone.heard.length > heardSoFar + 10, 'the other to go on')
})

test('signalling comes back after a lost socket while the audio continues', async () => {
  const wire = await connect()
  const { phone, callId } = await callTone(wire)
  const { reconnect } = await wire.frame('answer')
  wire.drop()
  const again = await connect()
  const resume = { callsid: callId, reconnect, sdp: 'v=0', twilio: {} }
  again.send('invite', { ...resume, reconnect: 'a guess' })
  expect(await again.frame('hangup')).toMatchObject({ callsid: callId, error: { code: 31209 } })
  again.send('invite', resume)
  again.send('invite', resume)
  expect(await again.frame('answer', 1)).toEqual({ callsid: callId, reconnect })
  const heardSoFar = phone.heard.length
  await until(() => phone.heard.length > heardSoFar + 10, 'more sound')
  again.send('hangup', { callsid: callId })
  await until(() => world.control.events.at(-1)?.kind === 'ended', 'the end')
  expect(world.control.events.at(-1)).toMatchObject({ end: 'caller_hung_up' })
})

test('nobody can resume a call of another user, even with its token', async () => {
  const wire = await connect('user-1')
  const { callId } = await callTone(wire)
  const { reconnect } = await wire.frame('answer')
  const thief = await connect('user-2')
  thief.send('invite', { callsid: callId, reconnect, sdp: 'v=0' })
  expect(await thief.frame('hangup')).toMatchObject({ error: { code: 31209 } })
})

test('audio survives an ICE restart', async () => {
  const wire = await connect()
  const { phone, callId } = await callTone(wire)
  await until(() => phone.heard.length > 10, 'sound')
  wire.send('reinvite', { callsid: callId, sdp: await phone.offer({ iceRestart: true }) })
  const { sdp } = await wire.frame('answer', 1)
  await phone.accept(sdp)
  phone.restartChecks()
  const received = () => world.exchange.observe(callId)?.received.packets ?? 0
  const heardSoFar = phone.heard.length
  const receivedSoFar = received()
  await until(() => phone.heard.length > heardSoFar + 50, 'sound after the restart')
  await until(() => received() > receivedSoFar + 50, 'packets after the restart')
})

test('a message is acknowledged', async () => {
  const wire = await connect()
  const message = {
    callsid: 'call-1',
    content: {},
    messagetype: 'user-defined-message',
    voiceeventsid: 'KX1',
  }
  wire.send('message', message)
  expect(await wire.frame('ack')).toEqual({ acktype: 'message', callsid: 'call-1', voiceeventsid: 'KX1' })
  wire.send('message', { ...message, messagetype: 'foo', voiceeventsid: 'KX2' })
  expect(await wire.frame('error')).toMatchObject({
    callsid: 'call-1',
    voiceeventsid: 'KX2',
    error: { code: 31210 },
  })
})

test.each([
  ['that is none', 'an SDP offer of a browser could not be used', async () => 'not an SDP'],
  ['with no codec of ours', 'no codec in common', () => new Phone('opus').offer()],
  ['with two streams', 'an SDP offer of a browser could not be used', twoStreams],
])('an offer %s ends the call unanswered, without harm to the server', async (_, why, offer) => {
  const wire = await connect()
  const params = new URLSearchParams({ To: '+12125550100' }).toString()
  wire.send('invite', { callsid: 'TJS1', sdp: await offer(), twilio: { params } })
  expect(await wire.frame('hangup')).toMatchObject({ callsid: 'TJS1', error: { code: 31000 } })
  expect(world.control.events).toEqual([{ kind: 'ended', callId: 'call-1', answeredMs: null, end: 'failed' }])
  expect(
    world.log.map(line => [line.message, 'err' in line.details && line.details.err].join(': ')).join(),
  ).toContain(why)
})

async function twoStreams(): Promise<string> {
  return (await new Phone().offer()).replace(/(m=audio[\s\S]*)$/, '$1$1')
}

test('hanging up while the call is being decided cancels it, reported once the call is known', async () => {
  const wire = await connect()
  const decision = Promise.withResolvers<void>()
  world.control.decide = async ({ to }, callId) => {
    await decision.promise
    return { kind: 'connect', callId, to, from: '+442079460000', limitMs: 60_000, rateMicroUsd: 20_000 }
  }
  await invite(wire, '+12125550100', new Phone(), 'TJS1')
  wire.send('hangup', { callsid: 'TJS1' })
  wire.send('message', { callsid: 'TJS1', messagetype: 'user-defined-message', voiceeventsid: 'KX1' })
  await wire.frame('ack')
  decision.resolve()
  await until(() => world.control.events.length === 1, 'the end')
  expect(world.control.events).toEqual([
    { kind: 'ended', callId: 'call-1', answeredMs: null, end: 'cancelled' },
  ])
  expect(await world.exchange.inspect('call-1')).toMatchObject({ kind: 'ended', end: 'cancelled' })
  expect(wire.frames.some(frame => frame.type === 'ringing')).toBe(false)
})

test('a caller whose socket goes before the answer has given up', async () => {
  const wire = await connect()
  const { phone } = await dial(wire, '+442012345678')
  phones.push(phone)
  wire.drop()
  await until(() => world.control.events.length === 2, 'the end')
  expect(world.control.events[1]).toMatchObject({ answeredMs: null, end: 'connection_lost' })
})

test('a failing call service rejects the call and keeps the exchange alive', async () => {
  const wire = await connect()
  world.control.decide = () => Promise.reject(new Error('the database is away'))
  await invite(wire, '+12125550100', new Phone(), 'TJS1')
  expect(await wire.frame('hangup')).toMatchObject({ callsid: 'TJS1', error: { code: 31904 } })
  expect(world.log.some(line => line.level === 'error')).toBe(true)
})

test('repeats reports that are not accepted, in order, without blocking the audio', async () => {
  const wire = await connect()
  world.control.failures = 2
  const { phone, callId } = await callTone(wire)
  await until(() => phone.heard.length > 5, 'sound')
  wire.send('hangup', { callsid: callId })
  await until(() => world.control.events.length === 3, 'all reports')
  expect(kinds()).toEqual(['ringing', 'answered', 'ended'])
})

test('nothing private is written to the log', async () => {
  const wire = await connect()
  const { callId } = await callTone(wire)
  wire.send('hangup', { callsid: callId })
  await until(() => world.control.events.length === 3, 'the end')
  expect(world.log.length).toBeGreaterThan(0)
  expect(JSON.stringify(world.log)).not.toContain('2125550100')
})
