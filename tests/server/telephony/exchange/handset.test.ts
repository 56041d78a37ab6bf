import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { createPeople, isSound, number } from './handset-people.ts'
import { listen, openHandset, pickUp, ringing } from './handset-phone.ts'
import { until } from './phone.ts'

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

const end = () => until(() => world.control.events.find(event => event.kind === 'ended'), 'the end')

test('a claimed number rings at its handset, with the caller ID, while the caller hears it ring', async () => {
  world.control.decide = ({ to }, callId) => ({
    kind: 'connect',
    callId,
    to,
    from: '+4917612345678',
    limitMs: 60_000,
    rateMicroUsd: 20_000,
  })
  const { wire } = await openHandset(world, number)
  const { phone, callId } = await people.ringUp()
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
  await people.ringUp()
  expect((await ringing(wire)).parameters.From).toBe('+442079460000')
})

test('the call is answered when the two can hear each other, not before', async () => {
  const { wire } = await openHandset(world, number)
  const { wire: caller, phone } = await people.ringUp()
  const { callsid, sdp } = await ringing(wire)
  const other = people.browser()
  const answer = await other.reply(sdp)
  await other.connection.close()
  wire.send('answer', { callsid, sdp: answer })
  await listen(phone, 20)
  expect(caller.frames.some(frame => frame.type === 'answer')).toBe(false)
  expect(world.control.events.map(event => event.kind)).toEqual(['ringing'])
})

test('a handset with which no codec is shared fails the call, unanswered', async () => {
  const { wire } = await openHandset(world, number)
  await people.ringUp()
  await pickUp(wire, people.browser('PCMU'))
  expect(await end()).toMatchObject({ end: 'failed', answeredMs: null })
  expect(await wire.frame('hangup')).toMatchObject({ error: { code: 31000 } })
})

test('a handset that declines ends the call as declined', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await people.ringUp()
  wire.send('reject', { callsid: (await ringing(wire)).callsid })
  expect(await caller.wire.frame('hangup')).toMatchObject({ error: { code: 31603 } })
  expect(await end()).toMatchObject({ end: 'declined', answeredMs: null })
})

test('a handset that is to be busy is busy, and does not ring', async () => {
  const { wire } = await openHandset(world, number, 'busy')
  const params = new URLSearchParams({ To: number }).toString()
  const caller = await people.connect()
  caller.send('invite', { callsid: 'TJS1', sdp: await people.browser().offer(), twilio: { params } })
  expect(await caller.frame('hangup')).toMatchObject({ error: { code: 31486 } })
  expect(wire.frames.some(frame => frame.type === 'invite')).toBe(false)
})

test('a handset in a call is busy for the next caller, and free after it', async () => {
  const { handset, caller } = await people.converse()
  const params = new URLSearchParams({ To: number }).toString()
  const second = await people.connect('user-2')
  second.send('invite', { callsid: 'TJS1', sdp: await people.browser().offer(), twilio: { params } })
  expect(await second.frame('hangup')).toMatchObject({ error: { code: 31486 } })
  caller.wire.send('hangup', { callsid: caller.callId })
  await handset.wire.frame('hangup')
  const third = await people.ringUp(number, 'user-3')
  expect(await ringing(handset.wire, 1)).toMatchObject({ callsid: third.callId })
})

test('a caller who gives up stops the ringing', async () => {
  const { wire } = await openHandset(world, number)
  const caller = await people.ringUp()
  await ringing(wire)
  caller.wire.send('hangup', { callsid: caller.callId })
  expect(await wire.frame('cancel')).toEqual({ callsid: caller.callId })
  expect(await end()).toMatchObject({ end: 'cancelled' })
})

test('the handset learns that the caller hung up', async () => {
  const { handset, caller } = await people.converse()
  caller.wire.send('hangup', { callsid: caller.callId })
  expect(await handset.wire.frame('hangup')).toEqual({ callsid: caller.callId })
  expect(await end()).toMatchObject({ end: 'caller_hung_up', answeredMs: expect.any(Number) })
})

test('the caller learns that the handset hung up', async () => {
  const { handset, caller } = await people.converse()
  handset.wire.send('hangup', { callsid: caller.callId })
  expect(await caller.wire.frame('hangup')).toEqual({ callsid: caller.callId })
  expect(await end()).toMatchObject({ end: 'callee_hung_up', answeredMs: expect.any(Number) })
})

test('a frame that names another call does nothing to the one in progress', async () => {
  const { handset, caller } = await people.converse()
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
  const { handset, caller } = await people.converse()
  await world.exchange.hangUp(caller.callId, 'call_blocked')
  expect(await caller.wire.frame('hangup')).toMatchObject({ error: { code: 31002 } })
  expect(await handset.wire.frame('hangup')).toEqual({ callsid: caller.callId })
})

test('several handsets ring and talk at once, each with its own caller', async () => {
  const numbers = ['+442071838750', '+442071838751', '+442071838752']
  const calls = await Promise.all(numbers.map((to, index) => people.converse(to, `user-${index}`)))
  expect(new Set(calls.map(({ caller }) => caller.callId)).size).toBe(3)
  expect(world.exchange.live()).toHaveLength(3)
  await Promise.all(calls.map(({ phone }) => listen(phone, 20, ({ payload }) => payload[0] === 0xaa)))
})

test('closing the exchange hangs up the handset too, with the reason', async () => {
  const { handset } = await people.converse()
  await world.exchange.close()
  expect(await handset.wire.frame('hangup')).toMatchObject({ error: { code: 31005 } })
  expect(await end()).toMatchObject({ end: 'server_stopping' })
})
