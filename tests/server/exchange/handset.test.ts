import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { shareAt } from './goertzel.ts'
import { listen, openHandset, pickUp, register, ringing } from './handset-phone.ts'
import { dial, Phone, type PlacedCall, until, Wire } from './phone.ts'

const number = '+442071838750'
const opusOfCaller = 96
/** The handset uses the payload type that our offer gives it. */
const opusOfHandset = 111
const mulaw = 0

let world: ExchangeWorld
const phones: Phone[] = []
beforeEach(async () => {
  world = await startExchange()
})
afterEach(async () => {
  await world.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

function browser(speaks: ConstructorParameters<typeof Phone>[0] = ['opus', 'PCMU']): Phone {
  const phone = new Phone(speaks)
  phones.push(phone)
  return phone
}

async function connect(userId = 'user-1'): Promise<Wire> {
  const { token } = await world.exchange.issueVoiceToken(userId)
  return (await new Wire(world.host).open()).listen(token)
}

/** Calls the number; the caller's browser stays silent until it is made to speak. */
async function ringUp(to = number, userId = 'user-1'): Promise<PlacedCall> {
  const placed = await dial(await connect(userId), to, browser())
  placed.phone.fallSilent()
  return placed
}

/** A conversation between two browsers, both speaking Opus: the caller 0xaa, the handset 0xbb. */
async function converse(to = number, userId = 'user-1') {
  const handset = await openHandset(world, to)
  const caller = await ringUp(to, userId)
  const phone = await pickUp(handset.wire, browser())
  await caller.wire.frame('answer')
  caller.phone.speakOpus(0xaa)
  phone.speakOpus(0xbb)
  await listen(caller.phone, 5, ({ payload }) => payload[0] === 0xbb)
  await listen(phone, 5, ({ payload }) => payload[0] === 0xaa)
  return { handset, phone, caller }
}

const end = () => until(() => world.control.events.find(event => event.kind === 'ended'), 'the end')
const isSound = ({ payload, payloadType }: Phone['packets'][number]) =>
  payloadType === mulaw && payload.some(octet => octet !== 0xff)

test('a claimed number rings at its handset, with the caller ID, while the caller hears it ring', async () => {
  world.control.decide = ({ to }, callId) => ({
    kind: 'connect',
    callId,
    to,
    from: '+4917612345678',
    limitMs: 60_000,
  })
  const { wire } = await openHandset(world, number)
  const { phone, callId } = await ringUp()
  expect(await ringing(wire)).toMatchObject({
    callsid: callId,
    parameters: { From: '+4917612345678', To: number, CallSid: callId },
    reconnect: expect.any(String),
    sdp: expect.stringContaining('a=candidate:'),
  })
  await listen(phone, 10, isSound)
  expect(world.control.events.map(event => event.kind)).toEqual(['ringing'])
})

test('a caller without a caller ID shows the public number', async () => {
  const { wire } = await openHandset(world, number)
  await ringUp()
  expect((await ringing(wire)).parameters.From).toBe('+442079460000')
})

test('the call is answered when the two can hear each other, not before', async () => {
  const { wire } = await openHandset(world, number)
  const { wire: caller, phone } = await ringUp()
  const { callsid, sdp } = await ringing(wire)
  const other = browser()
  const answer = await other.reply(sdp)
  await other.connection.close()
  wire.send('answer', { callsid, sdp: answer })
  await listen(phone, 20)
  expect(caller.frames.some(frame => frame.type === 'answer')).toBe(false)
  expect(world.control.events.map(event => event.kind)).toEqual(['ringing'])
})

test('Opus passes both ways untouched, under each end’s own payload type, gaps and markers included', async () => {
  const { caller, phone } = await converse()
  const ways = [
    { heard: await listen(phone, 40), voice: 0xaa, payloadType: opusOfHandset },
    { heard: await listen(caller.phone, 40), voice: 0xbb, payloadType: opusOfCaller },
  ]
  for (const { heard, voice, payloadType } of ways) {
    const [first] = heard
    const countOf = (payload: Buffer) => payload.readUInt32BE(1)
    for (const packet of heard) {
      const count = countOf(packet.payload)
      expect(packet.payload.length).toBe(40 + (count % 7))
      expect([...packet.payload.subarray(5)].every(octet => octet === voice)).toBe(true)
      expect(packet).toMatchObject({ payloadType, marker: count % 5 === 0, ssrc: first?.ssrc })
      const passed = count - countOf(first?.payload ?? packet.payload)
      expect((packet.sequenceNumber - (first?.sequenceNumber ?? 0)) & 0xffff).toBe(passed & 0xffff)
      expect((packet.timestamp - (first?.timestamp ?? 0)) >>> 0).toBe((passed * 960) >>> 0)
    }
  }
  const observed = world.exchange.observe(caller.callId)
  expect(observed?.received.packets).toBeGreaterThan(40)
  expect(observed?.received.level).toBeNull()
  expect(observed?.sent.level).toBeNull()
})

test('two that share mu-law alone hear each other in it', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await dial(await connect(), number, browser('PCMU'))
  const phone = await pickUp(wire, browser('PCMU'))
  await caller.wire.frame('answer')
  caller.phone.speak({ hz: 700, dbm0: -10 })
  phone.speak({ hz: 900, dbm0: -20 })
  const levels = () => world.exchange.observe(caller.callId)
  await until(() => Math.abs((levels()?.received.level?.dbm0 ?? 0) + 10) < 0.5, 'the caller')
  await until(() => Math.abs((levels()?.sent.level?.dbm0 ?? 0) + 20) < 0.5, 'the handset')
  await listen(phone, 5, isSound)
})

test('a handset with which no codec is shared fails the call, unanswered', async () => {
  const { wire } = await openHandset(world, number)
  await ringUp()
  await pickUp(wire, browser('PCMU'))
  expect(await end()).toMatchObject({ end: 'failed', answeredMs: null })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31000 } })
})

test('a party who hears nothing from the other still gets packets of silence', async () => {
  const { caller, phone } = await converse()
  caller.phone.fallSilent()
  phone.fallSilent()
  const isSilence = ({ payload, payloadType }: Phone['packets'][number]) =>
    payloadType === mulaw && payload.every(octet => octet === 0xff)
  await listen(phone, 20, isSilence)
  await listen(caller.phone, 20, isSilence)
  caller.phone.speakOpus(0xaa)
  await listen(phone, 5, ({ payload }) => payload[0] === 0xaa)
})

test('a handset that declines ends the call as declined', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await ringUp()
  wire.send('reject', { callsid: (await ringing(wire)).callsid })
  expect(await caller.wire.frame('hangup')).toMatchObject({ error: { code: 31603 } })
  expect(await end()).toMatchObject({ end: 'declined', answeredMs: null })
})

test('a handset that is to be busy is busy, and does not ring', async () => {
  const { wire } = await openHandset(world, number, 'busy')
  const params = new URLSearchParams({ To: number }).toString()
  const caller = await connect()
  caller.send('invite', { callsid: 'TJS1', sdp: await browser().offer(), twilio: { params } })
  expect(await caller.frame('hangup')).toMatchObject({ error: { code: 31486 } })
  expect(wire.frames.some(frame => frame.type === 'invite')).toBe(false)
})

test('a handset in a call is busy for the next caller, and free after it', async () => {
  const { handset, caller } = await converse()
  const params = new URLSearchParams({ To: number }).toString()
  const second = await connect('user-2')
  second.send('invite', { callsid: 'TJS1', sdp: await browser().offer(), twilio: { params } })
  expect(await second.frame('hangup')).toMatchObject({ error: { code: 31486 } })
  caller.wire.send('hangup', { callsid: caller.callId })
  await handset.wire.frame('hangup')
  const third = await ringUp(number, 'user-3')
  expect(await ringing(handset.wire, 1)).toMatchObject({ callsid: third.callId })
})

test('a caller who gives up stops the ringing', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await ringUp()
  await ringing(wire)
  caller.wire.send('hangup', { callsid: caller.callId })
  expect(await wire.frame('cancel')).toEqual({ callsid: caller.callId })
  expect(await end()).toMatchObject({ end: 'cancelled' })
})

test('the handset learns that the caller hung up', async () => {
  const { handset, caller } = await converse()
  caller.wire.send('hangup', { callsid: caller.callId })
  expect(await handset.wire.frame('hangup')).toEqual({ callsid: caller.callId })
  expect(await end()).toMatchObject({ end: 'caller_hung_up', answeredMs: expect.any(Number) })
})

test('the caller learns that the handset hung up', async () => {
  const { handset, caller } = await converse()
  handset.wire.send('hangup', { callsid: caller.callId })
  expect(await caller.wire.frame('hangup')).toEqual({ callsid: caller.callId })
  expect(await end()).toMatchObject({ end: 'callee_hung_up', answeredMs: expect.any(Number) })
})

test('a frame that names another call does nothing to the one in progress', async () => {
  const { handset, caller } = await converse()
  for (const callsid of ['call-99', 'TJS1']) {
    handset.wire.send('hangup', { callsid })
    handset.wire.send('reject', { callsid })
    handset.wire.send('invite', { callsid, sdp: 'v=0', reconnect: 'a guess' })
  }
  expect(await handset.wire.frame('hangup', 1)).toMatchObject({ callsid: 'TJS1', error: { code: 31209 } })
  expect(world.exchange.live()).toEqual([caller.callId])
  await listen(caller.phone, 5, ({ payload }) => payload[0] === 0xbb)
})

test('why a caller was cut off is not the business of the person they called', async () => {
  const { handset, caller } = await converse()
  await world.exchange.hangUp(caller.callId, 'call_blocked')
  expect(await caller.wire.frame('hangup')).toMatchObject({ error: { code: 31002 } })
  expect(await handset.wire.frame('hangup')).toEqual({ callsid: caller.callId })
})

test('digits of the caller are heard by the handset as a tone, and shown to its page', async () => {
  const { handset, caller, phone } = await converse()
  const before = phone.packets.length
  caller.wire.send('dtmf', { callsid: caller.callId, dtmf: '4' })
  expect(await handset.wire.frame('message')).toMatchObject({
    callsid: caller.callId,
    content: { digits: '4', from: 0 },
  })
  await until(
    () =>
      phone.packets
        .slice(before)
        .some(({ payload }, at, all) => payload[0] === 0xaa && all.slice(0, at).some(isSound)),
    'the voice after the tone',
  )
  const tone = phone.packets.slice(before).filter(isSound)
  expect(tone).toHaveLength(8)
  expectTone(tone, 770, 1209)
  expect(world.exchange.observe(caller.callId)?.digits).toBe('4')
})

test('digits of the handset are heard by the caller as tones, one after the other', async () => {
  const { handset, caller } = await converse()
  const before = caller.phone.packets.length
  handset.wire.send('dtmf', { callsid: caller.callId, dtmf: '1w#' })
  const tones = () => caller.phone.packets.slice(before).filter(isSound)
  await until(() => tones().length >= 16, 'two tones')
  expectTone(tones().slice(0, 8), 697, 1209)
  expectTone(tones().slice(8), 941, 1477)
  const isTone = caller.phone.packets.slice(before).map(isSound)
  const start = isTone.indexOf(true)
  expect(isTone.slice(start + 8, start + 13), 'four frames of silence').toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
  expect(world.exchange.observe(caller.callId)?.digits).toBe('')
})

test('a handset whose socket drops keeps talking, and resumes its call', async () => {
  const { handset, caller, phone } = await converse()
  const { callsid, reconnect } = await ringing(handset.wire)
  handset.wire.drop()
  await listen(phone, 10, ({ payload }) => payload[0] === 0xaa)
  await listen(caller.phone, 10, ({ payload }) => payload[0] === 0xbb)
  const wire = await register(world.host, handset.token)
  wire.send('invite', { callsid, reconnect: 'a guess', sdp: 'v=0' })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31209 } })
  wire.send('invite', { callsid, reconnect, sdp: 'v=0' })
  wire.send('invite', { callsid, reconnect, sdp: 'v=0' })
  expect(await wire.frame('answer', 1)).toEqual({ callsid, reconnect })
  caller.wire.send('dtmf', { callsid, dtmf: '7' })
  expect(await wire.frame('message')).toMatchObject({ content: { digits: '7' } })
  wire.send('hangup', { callsid })
  expect(await end()).toMatchObject({ end: 'callee_hung_up' })
})

test('sends the digits that a handset missed without a socket once it has one again', async () => {
  const { handset, caller } = await converse()
  const { callsid, reconnect } = await ringing(handset.wire)
  handset.wire.drop()
  caller.wire.send('dtmf', { callsid, dtmf: '48#' })
  await until(() => world.exchange.observe(callsid)?.digits === '48#', 'the digits')
  const wire = await register(world.host, handset.token)
  wire.send('invite', { callsid, reconnect, sdp: 'v=0' })
  expect(await wire.frame('message')).toMatchObject({ content: { digits: '48#', from: 0 } })
  caller.wire.send('dtmf', { callsid, dtmf: '2' })
  expect(await wire.frame('message', 1)).toMatchObject({ content: { digits: '2', from: 3 } })
})

test('the handset still hears a caller whose socket drops, and who resumes the call', async () => {
  const { handset, caller, phone } = await converse()
  const { callsid, reconnect } = await caller.wire.frame('answer')
  caller.wire.drop()
  await listen(phone, 10, ({ payload }) => payload[0] === 0xaa)
  const again = await connect()
  again.send('invite', { callsid, reconnect, sdp: 'v=0' })
  await again.frame('answer')
  again.send('hangup', { callsid })
  await handset.wire.frame('hangup')
})

test('the sound comes back after an ICE restart of the handset', async () => {
  const { handset, caller, phone } = await converse()
  handset.wire.send('reinvite', { callsid: caller.callId, sdp: await phone.offer({ iceRestart: true }) })
  await phone.accept((await handset.wire.frame('answer')).sdp)
  phone.restartChecks()
  await listen(phone, 50, ({ payload }) => payload[0] === 0xaa)
  await listen(caller.phone, 50, ({ payload }) => payload[0] === 0xbb)
})

test('several handsets ring and talk at once, each with its own caller', async () => {
  const numbers = ['+442071838750', '+442071838751', '+442071838752']
  const calls = await Promise.all(numbers.map((to, index) => converse(to, `user-${index}`)))
  expect(new Set(calls.map(({ caller }) => caller.callId)).size).toBe(3)
  expect(world.exchange.live()).toHaveLength(3)
  await Promise.all(calls.map(({ phone }) => listen(phone, 20, ({ payload }) => payload[0] === 0xaa)))
})

test('closing the exchange hangs up the handset too, with the reason', async () => {
  const { handset } = await converse()
  await world.exchange.close()
  expect(await handset.wire.frame('hangup')).toMatchObject({ error: { code: 31005 } })
  expect(await end()).toMatchObject({ end: 'server_stopping' })
})

function expectTone(packets: readonly Phone['packets'][number][], ...frequenciesHz: number[]): void {
  const sound = Buffer.concat(packets.map(({ payload }) => payload))
  for (const hz of frequenciesHz) expect(shareAt(hz, sound), `${hz} Hz`).toBeGreaterThan(0.35)
}
