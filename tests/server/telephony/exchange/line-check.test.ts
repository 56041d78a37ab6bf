import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lineCheckPurpose } from '#lib/api/line-check.ts'
import { longestLineCheckMs } from '#server/telephony/exchange/line-check.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { dial, invite, Phone, until, Wire } from './phone.ts'

let clock: MovableClock
let world: ExchangeWorld
const phones: Phone[] = []
beforeEach(async () => {
  clock = createStoppedClock()
  world = await startExchange({ clock, ttl: 86_400 })
})
afterEach(async () => {
  await world.close()
  await Promise.all(phones.splice(0).map(phone => phone.close()))
})

async function connect(userId = 'user-1'): Promise<Wire> {
  const { token } = await world.exchange.issueVoiceToken(userId)
  return (await new Wire(world.host).open()).listen(token)
}

async function check(wire: Wire, to = '') {
  const phone = new Phone(['opus', 'PCMU'])
  phones.push(phone)
  const before = wire.frames.filter(({ type }) => type === 'answer').length
  await invite(wire, to, phone, `TJS${before}`, { Purpose: lineCheckPurpose })
  const { callsid, sdp } = await wire.frame('ringing', before)
  await phone.accept(sdp)
  phone.speakOpus(7)
  await wire.frame('answer', before)
  return { phone, callId: callsid as string }
}

test('a line check echoes the sound with its gaps, and is not recorded', async () => {
  const wire = await connect()
  const { phone, callId } = await check(wire, '+12125550100')
  await until(() => phone.packets.filter(({ payload }) => payload[0] === 7).length > 40, 'the echo')
  const numbers = phone.packets.filter(({ payload }) => payload[0] === 7).map(one => one.sequenceNumber)
  const gaps = numbers.slice(1).filter((number, index) => ((number - (numbers[index] ?? 0)) & 0xffff) > 1)
  // Every tenth was left out on the way there.
  expect(gaps.length).toBeGreaterThanOrEqual(3)
  expect(world.exchange.live()).toEqual([])
  wire.send('hangup', { callsid: callId })
  await sleep(50)
  expect([world.control.attempts, world.control.events]).toEqual([[], []])
})

test('a check ends by itself after 15 s, and a second one ends the first', async () => {
  const wire = await connect()
  const first = await check(wire)
  const second = await check(await connect())
  expect(await wire.frame('hangup')).toMatchObject({ callsid: first.callId })
  clock.advance(longestLineCheckMs + 1000)
  await expect.poll(async () => (await world.exchange.inspect(second.callId)).kind).toBe('ended')
  expect(await world.exchange.inspect(second.callId)).toMatchObject({ answeredMs: longestLineCheckMs })
  expect(world.control.events).toEqual([])
})

test('a check that is not admitted rings nothing', async () => {
  world.control.admitLineCheck = async () => false
  const wire = await connect()
  await invite(wire, '', new Phone(), 'TJS1', { Purpose: lineCheckPurpose })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31002 } })
  expect(wire.frames.some(({ type }) => type === 'ringing')).toBe(false)
})

test('a line check does not touch a running call, which stays the only live one', async () => {
  const wire = await connect()
  const placed = await dial(wire, '+12125550100')
  phones.push(placed.phone)
  await check(await connect())
  expect(world.exchange.live()).toEqual([placed.callId])
  expect(wire.frames.some(({ type }) => type === 'hangup')).toBe(false)
})
