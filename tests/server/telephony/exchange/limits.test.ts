import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CarrierEvent } from '#server/telephony/port.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { call, dial, invite, Phone, type PlacedCall, until, Wire } from './phone.ts'

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

async function connect(): Promise<Wire> {
  const { token } = await world.exchange.issueVoiceToken('user-1')
  return (await new Wire(world.host).open()).listen(token)
}

async function callTone(limitMs: number): Promise<PlacedCall> {
  world.control.decide = ({ to }, callId) => ({
    kind: 'connect',
    callId,
    to,
    from: '+442079460000',
    limitMs,
    rateMicroUsd: 20_000,
  })
  const placed = await call(await connect(), '+12125550100')
  phones.push(placed.phone)
  return placed
}

async function ending(): Promise<CarrierEvent> {
  return await until(() => world.control.events.find(event => event.kind === 'ended'), 'the end')
}

/** Long enough for the exchange to look at its clock several times. */
const aFewTicks = () => sleep(100)

test('hangs up at the limit, which the answered time meets exactly', async () => {
  const { wire, callId } = await callTone(60_000)
  clock.advance(59_999)
  await aFewTicks()
  expect(await world.exchange.inspect(callId)).toEqual({ kind: 'live', answeredMs: 59_999 })
  clock.advance(5000)
  expect(await ending()).toEqual({ kind: 'ended', callId, answeredMs: 60_000, end: 'limit', heard: true })
  expect(await wire.frame('hangup')).toEqual({ callsid: callId })
})

test('a moved limit holds instead of the first', async () => {
  const { callId } = await callTone(60_000)
  await world.exchange.setLimit(callId, 120_000)
  clock.advance(119_000)
  await aFewTicks()
  expect(world.exchange.live()).toEqual([callId])
  clock.advance(2000)
  expect(await ending()).toMatchObject({ answeredMs: 120_000, end: 'limit' })
})

test('hanging up for lack of credit is an end by the limit', async () => {
  const { callId } = await callTone(600_000)
  clock.advance(61_000)
  await world.exchange.hangUp(callId, 'no_credits')
  expect(await ending()).toMatchObject({ answeredMs: 61_000, end: 'limit' })
})

test('hanging up on a blocked caller says why', async () => {
  const { wire, callId } = await callTone(600_000)
  await world.exchange.hangUp(callId, 'call_blocked')
  expect(await ending()).toMatchObject({ end: 'blocked' })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31002 } })
})

test('calls that it does not know are no error', async () => {
  await world.exchange.hangUp('nobody', 'no_credits')
  await world.exchange.setLimit('nobody', 1)
  expect(await world.exchange.inspect('nobody')).toEqual({ kind: 'unknown' })
  expect(world.exchange.observe('nobody')).toBeUndefined()
})

test('0104 hangs up after 5 s', async () => {
  const placed = await call(await connect(), '+12125550104')
  phones.push(placed.phone)
  clock.advance(4999)
  await aFewTicks()
  expect(world.exchange.live()).toHaveLength(1)
  clock.advance(1)
  expect(await ending()).toMatchObject({ answeredMs: 5000, end: 'callee_hung_up' })
})

test('what a line does late counts from when it was due', async () => {
  const placed = await call(await connect(), '+12125550104')
  phones.push(placed.phone)
  clock.advance(8000)
  expect(await ending()).toMatchObject({ answeredMs: 5000, end: 'callee_hung_up' })
})

test('loses a caller who falls silent after 45 s, who pays until last heard', async () => {
  const { phone, wire } = await callTone(600_000)
  clock.advance(30_000)
  await aFewTicks()
  phone.fallSilent()
  await aFewTicks()
  clock.advance(44_999)
  await sleep(700)
  expect(world.exchange.live()).toHaveLength(1)
  clock.advance(1)
  expect(await ending()).toMatchObject({ answeredMs: 30_000, end: 'connection_lost' })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31003 } })
})

test('a crashed tab, whose socket closes and whose packets stop, pays until it was last heard', async () => {
  const { phone, wire } = await callTone(600_000)
  clock.advance(10_000)
  await aFewTicks()
  phone.fallSilent()
  wire.drop()
  await sleep(700)
  clock.advance(30_000)
  expect(await ending()).toMatchObject({ answeredMs: 10_000, end: 'connection_lost' })
})

test('a caller who dials again has left the call in which they fell silent; it is settled before the new one is placed', async () => {
  const { phone, wire } = await callTone(600_000)
  clock.advance(10_000)
  await aFewTicks()
  phone.fallSilent()
  wire.drop()
  await sleep(700)
  clock.advance(2000)
  let settledBefore: boolean | undefined
  world.control.decide = ({ to }, callId) => {
    settledBefore = world.control.events.some(event => event.kind === 'ended')
    return { kind: 'connect', callId, to, from: '+442079460000', limitMs: 60_000, rateMicroUsd: 20_000 }
  }
  const again = await call(await connect(), '+12125550100')
  phones.push(again.phone)
  expect(await ending()).toMatchObject({ answeredMs: 10_000, end: 'connection_lost' })
  expect(settledBefore).toBe(true)
  expect(world.exchange.live()).toEqual([again.callId])
})

test('a second call does not end one in which the caller talks', async () => {
  const first = await callTone(600_000)
  const second = await call(await connect(), '+12125550100')
  phones.push(second.phone)
  expect(world.exchange.live()).toEqual([first.callId, second.callId])
})

test('a clock that leaps over a minute does not end a call whose caller talks', async () => {
  const { callId } = await callTone(600_000)
  await until(() => (world.exchange.observe(callId)?.received.packets ?? 0) > 5, 'packets')
  clock.advance(61_000)
  await aFewTicks()
  expect(await world.exchange.inspect(callId)).toEqual({ kind: 'live', answeredMs: 61_000 })
})

test('a caller whose socket does not come back within 30 s is lost', async () => {
  const { wire } = await callTone(600_000)
  clock.advance(10_000)
  wire.drop()
  await aFewTicks()
  clock.advance(29_999)
  await aFewTicks()
  expect(world.exchange.live()).toHaveLength(1)
  clock.advance(1)
  expect(await ending()).toMatchObject({ answeredMs: 40_000, end: 'connection_lost' })
})

test('a caller whose socket came back in time stays', async () => {
  const { wire, callId } = await callTone(600_000)
  const { reconnect } = await wire.frame('answer')
  wire.drop()
  await aFewTicks()
  clock.advance(29_000)
  const again = await connect()
  again.send('invite', { callsid: callId, reconnect, sdp: 'v=0' })
  await again.frame('answer')
  clock.advance(29_000)
  await aFewTicks()
  expect(world.exchange.live()).toEqual([callId])
})

test('a call whose audio never connects fails after 15 s and was never answered', async () => {
  const wire = await connect()
  const phone = new Phone()
  phones.push(phone)
  await invite(wire, '+12125550100', phone, 'TJS1')
  await wire.frame('ringing')
  await aFewTicks()
  expect(wire.frames.some(frame => frame.type === 'answer')).toBe(false)
  clock.advance(15_000)
  expect(await ending()).toMatchObject({ answeredMs: null, end: 'failed' })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31000 } })
})

test('a decision that takes more than 20 s fails the call', async () => {
  const wire = await connect()
  const decision = Promise.withResolvers<void>()
  world.control.decide = async ({ to }, callId) => {
    await decision.promise
    return { kind: 'connect', callId, to, from: '+442079460000', limitMs: 60_000, rateMicroUsd: 20_000 }
  }
  await invite(wire, '+12125550100', new Phone(), 'TJS1')
  await until(() => world.control.attempts.length === 1, 'the question')
  clock.advance(20_000)
  expect(await wire.frame('hangup')).toMatchObject({ callsid: 'TJS1', error: { code: 31904 } })
  expect(world.control.events).toEqual([])
  decision.resolve()
  expect(await ending()).toMatchObject({ callId: 'call-1', answeredMs: null, end: 'service_failed' })
})

test('an ended call is remembered for ten minutes', async () => {
  const { wire, callId } = await callTone(600_000)
  wire.send('hangup', { callsid: callId })
  await ending()
  clock.advance(600_000)
  expect(await world.exchange.inspect(callId)).toMatchObject({ kind: 'ended' })
  clock.advance(1)
  expect(await world.exchange.inspect(callId)).toEqual({ kind: 'unknown' })
  expect(world.exchange.observe(callId)).toBeUndefined()
})

test('the ringing line answers by the same clock', async () => {
  const wire = await connect()
  const { phone } = await dial(wire, '+442012345678')
  phones.push(phone)
  await until(() => phone.heard.length > 0, 'ringback')
  clock.advance(2000)
  await wire.frame('answer')
})
