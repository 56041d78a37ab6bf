import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { shareAt } from './goertzel.ts'
import { createPeople, isSilence, isSound, number } from './handset-people.ts'
import { listen, openHandset, pickUp, register, ringing } from './handset-phone.ts'
import { dial, type Phone, until, type Wire } from './phone.ts'

const opusOfCaller = 96
/** The handset uses the payload type that our offer gives it. */
const opusOfHandset = 111

let world: ExchangeWorld
let people: ReturnType<typeof createPeople>
beforeEach(async () => {
  world = await startExchange()
  people = createPeople(world)
})
afterEach(async () => {
  await world.close()
  await people.close()
})

/** The message to a handset that shows the digits from this index on. Messages of real-time text come as well. */
const digitsFrom = ({ frames }: Wire, from: number) =>
  until(
    () => frames.find(({ type, payload }) => type === 'message' && payload.content?.from === from)?.payload,
    'the digits',
  )

const end = () => until(() => world.control.events.find(event => event.kind === 'ended'), 'the end')

test('Opus passes both ways untouched, under each end’s own payload type, gaps and markers included', async () => {
  const { caller, phone } = await people.converse()
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
  const caller = await dial(await people.connect(), number, people.browser('PCMU'))
  const phone = await pickUp(wire, people.browser('PCMU'))
  await caller.wire.frame('answer')
  caller.phone.speak({ hz: 700, dbm0: -10 })
  phone.speak({ hz: 900, dbm0: -20 })
  const levels = () => world.exchange.observe(caller.callId)
  await until(() => Math.abs((levels()?.received.level?.dbm0 ?? 0) + 10) < 0.5, 'the caller')
  await until(() => Math.abs((levels()?.sent.level?.dbm0 ?? 0) + 20) < 0.5, 'the handset')
  await listen(phone, 5, isSound)
})

test('a party who hears nothing from the other still gets packets of silence', async () => {
  const { caller, phone } = await people.converse()
  caller.phone.fallSilent()
  phone.fallSilent()
  await listen(phone, 20, isSilence)
  await listen(caller.phone, 20, isSilence)
  caller.phone.speakOpus(0xaa)
  await listen(phone, 5, ({ payload }) => payload[0] === 0xaa)
})

test('digits of the caller are heard by the handset as a tone, and shown to its page', async () => {
  const { handset, caller, phone } = await people.converse()
  const before = phone.packets.length
  caller.wire.send('dtmf', { callsid: caller.callId, dtmf: '4' })
  expect(await digitsFrom(handset.wire, 0)).toMatchObject({
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
  const { handset, caller } = await people.converse()
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
  const { handset, caller, phone } = await people.converse()
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
  expect(await digitsFrom(wire, 0)).toMatchObject({ content: { digits: '7' } })
  wire.send('hangup', { callsid })
  expect(await end()).toMatchObject({ end: 'callee_hung_up' })
})

test('sends the digits that a handset missed without a socket once it has one again', async () => {
  const { handset, caller } = await people.converse()
  const { callsid, reconnect } = await ringing(handset.wire)
  handset.wire.drop()
  caller.wire.send('dtmf', { callsid, dtmf: '48#' })
  await until(() => world.exchange.observe(callsid)?.digits === '48#', 'the digits')
  const wire = await register(world.host, handset.token)
  wire.send('invite', { callsid, reconnect, sdp: 'v=0' })
  expect(await digitsFrom(wire, 0)).toMatchObject({ content: { digits: '48#' } })
  caller.wire.send('dtmf', { callsid, dtmf: '2' })
  expect(await digitsFrom(wire, 3)).toMatchObject({ content: { digits: '2' } })
})

test('the handset still hears a caller whose socket drops, and who resumes the call', async () => {
  const { handset, caller, phone } = await people.converse()
  const { callsid, reconnect } = await caller.wire.frame('answer')
  caller.wire.drop()
  await listen(phone, 10, ({ payload }) => payload[0] === 0xaa)
  const again = await people.connect()
  again.send('invite', { callsid, reconnect, sdp: 'v=0' })
  await again.frame('answer')
  again.send('hangup', { callsid })
  await handset.wire.frame('hangup')
})

test('the sound comes back after an ICE restart of the handset', async () => {
  const { handset, caller, phone } = await people.converse()
  handset.wire.send('reinvite', { callsid: caller.callId, sdp: await phone.offer({ iceRestart: true }) })
  await phone.accept((await handset.wire.frame('answer')).sdp)
  phone.restartChecks()
  await listen(phone, 50, ({ payload }) => payload[0] === 0xaa)
  await listen(caller.phone, 50, ({ payload }) => payload[0] === 0xbb)
})

function expectTone(packets: readonly Phone['packets'][number][], ...frequenciesHz: number[]): void {
  const sound = Buffer.concat(packets.map(({ payload }) => payload))
  for (const hz of frequenciesHz) expect(shareAt(hz, sound), `${hz} Hz`).toBeGreaterThan(0.35)
}
