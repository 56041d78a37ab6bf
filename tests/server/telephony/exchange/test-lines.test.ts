import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CarrierEvent } from '#server/telephony/port.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { call, dial, invite, Phone, until, Wire } from './phone.ts'

let clock: MovableClock
let world: ExchangeWorld
let wire: Wire
const phones: Phone[] = []
beforeEach(async () => {
  clock = createStoppedClock()
  world = await startExchange({ clock, ttl: 86_400 })
  const { token } = await world.exchange.issueVoiceToken('user-1')
  wire = await (await new Wire(world.host).open()).listen(token)
})
afterEach(async () => {
  await world.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

async function ending(): Promise<CarrierEvent> {
  return await until(() => world.control.events.find(event => event.kind === 'ended'), 'the end')
}

/** Dials, and waits until ringback is heard: something louder than silence. */
async function ring(number: string): Promise<Phone> {
  const { phone } = await dial(wire, number)
  phones.push(phone)
  await until(() => phone.heard.some(isSound), 'ringback')
  return phone
}

async function answered(number: string): Promise<Phone> {
  const { phone } = await call(wire, number)
  phones.push(phone)
  return phone
}

function isSound(payload: Buffer): boolean {
  return payload.some(octet => octet !== 0xff)
}

const aFewTicks = () => sleep(100)

test('0102 rings for 30 s, and then the call is unanswered', async () => {
  await ring('+12125550102')
  clock.advance(29_999)
  await aFewTicks()
  expect(world.exchange.live()).toHaveLength(1)
  clock.advance(1)
  expect(await ending()).toMatchObject({ answeredMs: null, end: 'no_answer' })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31480 } })
})

test('0103 does not exist', async () => {
  const phone = new Phone()
  phones.push(phone)
  await invite(wire, '+12125550103', phone, 'TJS1')
  expect(await wire.frame('hangup')).toMatchObject({
    error: { code: 31404, message: 'Unrecognised number. Please check the number and try again.' },
  })
  expect(await ending()).toMatchObject({ answeredMs: null, end: 'invalid_number' })
})

test('0105 rings for 4 s and declines', async () => {
  await ring('+12125550105')
  clock.advance(4000)
  expect(await ending()).toMatchObject({ answeredMs: null, end: 'declined' })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31603 } })
})

test('0106 goes silent 5 s after the answer, and an ICE restart brings nothing back', async () => {
  const phone = await answered('+12125550106')
  await until(() => phone.heard.some(isSound), 'the tone')
  clock.advance(5000)
  await aFewTicks()
  const heard = phone.heard.length
  const { callsid } = await wire.frame('answer')
  wire.send('reinvite', { callsid, sdp: await phone.offer({ iceRestart: true }) })
  const { sdp } = await wire.frame('answer', 1)
  await phone.accept(sdp)
  phone.restartChecks()
  await sleep(500)
  expect(phone.heard.length).toBe(heard)
  expect(world.exchange.live()).toHaveLength(1)
})

test('0107 rings for 10 s and then answers', async () => {
  await ring('+12125550107')
  clock.advance(9999)
  await aFewTicks()
  expect(wire.frames.some(frame => frame.type === 'answer')).toBe(false)
  clock.advance(1)
  await wire.frame('answer')
})

test('0108 answers, hears the caller, and never sends a packet', async () => {
  const phone = await answered('+12125550108')
  const [callId = ''] = world.exchange.live()
  await until(() => (world.exchange.observe(callId)?.received.packets ?? 0) > 25, 'packets')
  expect(phone.heard).toEqual([])
  await world.exchange.hangUp(callId, 'limit')
  expect(await ending()).toMatchObject({ heard: false })
})

test('of a line that sounds the end says so', async () => {
  const phone = await answered('+12125550106')
  await until(() => phone.heard.some(isSound), 'the tone')
  const [callId = ''] = world.exchange.live()
  await world.exchange.hangUp(callId, 'limit')
  expect(await ending()).toMatchObject({ heard: true })
})
