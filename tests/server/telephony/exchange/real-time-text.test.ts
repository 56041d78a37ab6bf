import { afterEach, beforeEach, expect, test } from 'vitest'
import { maxCharactersAtOnce, textRelayLimits } from '#lib/calls/real-time-text.ts'
import { TextRelay } from '#server/telephony/exchange/text-relay.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { type ExchangeWorld, startExchange } from './exchange-world.ts'
import { createPeople, number } from './handset-people.ts'
import { pickUp, register, ringing } from './handset-phone.ts'
import { type Frame, until, type Wire } from './phone.ts'

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

let messages = 0
function send(wire: Wire, callsid: string, content: unknown): void {
  messages += 1
  wire.send('message', {
    callsid,
    content,
    contenttype: 'application/json',
    messagetype: 'user-defined-message',
    voiceeventsid: `KX${messages}`,
  })
}

const textsAt = ({ frames }: Wire): readonly Frame['payload'][] =>
  frames.flatMap(({ type, payload }) => (type === 'message' ? [payload.content] : []))

/** Everything that this socket sent before has been handled once its heartbeat is. */
async function settled(wire: Wire, callsid: string): Promise<void> {
  const acks = () => wire.frames.filter(({ type }) => type === 'ack').length
  const before = acks()
  send(wire, callsid, { note: 'the last one' })
  await until(() => acks() > before, 'the acknowledgement')
}

test('what either side types reaches the other in order, and nobody else', async () => {
  const { handset, caller } = await people.converse()
  const stranger = await people.connect('user-2')
  await until(() => textsAt(caller.wire).length > 0 && textsAt(handset.wire).length > 0, 'the offer')
  send(caller.wire, caller.callId, { typed: 'H', from: 0 })
  send(caller.wire, caller.callId, { typed: 'i\u0008ello \u{1F44B}\u2028', from: 1 })
  send(handset.wire, caller.callId, { received: 9 })
  send(handset.wire, caller.callId, { typed: 'مرحبا', from: 0 })
  await until(() => textsAt(caller.wire).length === 3 && textsAt(handset.wire).length === 3, 'the text')
  // The first says that the other page can show text.
  expect(textsAt(handset.wire)).toEqual([
    { received: 0 },
    { typed: 'H', from: 0 },
    { typed: 'i\u0008ello \u{1F44B}\u2028', from: 1 },
  ])
  expect(textsAt(caller.wire)).toEqual([{ received: 0 }, { received: 9 }, { typed: 'مرحبا', from: 0 }])

  // Another user's socket and another handset's name the call in vain.
  const claimed = await world.exchange.claimNumber({
    number: '+442071838751',
    whenCalled: 'ring',
    token: undefined,
  })
  if (!claimed.ok) throw new Error(claimed.code)
  const other = await register(world.host, claimed.value.token)
  for (const wire of [stranger, other]) {
    send(wire, caller.callId, { typed: 'let me in', from: 0 })
    await settled(wire, caller.callId)
  }
  await settled(caller.wire, caller.callId)
  expect(textsAt(caller.wire)).toHaveLength(3)
  expect(textsAt(handset.wire)).toHaveLength(3)
  expect([...textsAt(stranger), ...textsAt(other)]).toEqual([])
})

test('no text passes before the answer or after the end', async () => {
  const claimed = await world.exchange.claimNumber({ number, whenCalled: 'ring', token: undefined })
  if (!claimed.ok) throw new Error(claimed.code)
  const wire = await register(world.host, claimed.value.token)
  const caller = await people.ringUp()
  await ringing(wire)
  send(caller.wire, caller.callId, { typed: 'too soon', from: 0 })
  send(wire, caller.callId, { typed: 'too soon', from: 0 })
  await settled(caller.wire, caller.callId)
  await settled(wire, caller.callId)
  expect([...textsAt(caller.wire), ...textsAt(wire)]).toEqual([])

  await pickUp(wire, people.browser())
  await until(() => textsAt(caller.wire).length === 1, 'the offer of text')
  caller.wire.send('hangup', { callsid: caller.callId })
  await wire.frame('hangup')
  send(caller.wire, caller.callId, { typed: 'too late', from: 0 })
  send(wire, caller.callId, { typed: 'too late', from: 0 })
  await settled(caller.wire, caller.callId)
  await settled(wire, caller.callId)
  expect(textsAt(caller.wire)).toEqual([{ received: 0 }])
  expect(textsAt(wire)).toEqual([{ received: 0 }])
})

test('a call to any other number is offered no text', async () => {
  const caller = await people.ringUp('+12125550100')
  await caller.wire.frame('answer')
  send(caller.wire, caller.callId, { typed: 'hello?', from: 0 })
  await settled(caller.wire, caller.callId)
  expect(textsAt(caller.wire)).toEqual([])
})

test('after a broken socket each side is offered text again', async () => {
  const { handset, caller } = await people.converse()
  const { reconnect } = await caller.wire.frame('answer')
  caller.wire.socket.terminate()
  const next = await people.connect()
  next.send('invite', { callsid: caller.callId, sdp: 'unused', reconnect })
  await until(() => textsAt(next).length === 1, 'the offer of text')
  expect(textsAt(next)).toEqual([{ received: 0 }])

  const { reconnect: secret } = await ringing(handset.wire)
  handset.wire.socket.terminate()
  const other = await register(world.host, handset.token)
  other.send('invite', { callsid: caller.callId, sdp: 'unused', reconnect: secret })
  await until(() => textsAt(other).length === 1, 'the offer of text')
  send(next, caller.callId, { typed: 'still here', from: 0 })
  await until(() => textsAt(other).length === 2, 'the text')
  expect(textsAt(other)).toEqual([{ received: 0 }, { typed: 'still here', from: 0 }])
})

test.each([
  ['too many characters at once', { typed: 'x'.repeat(2 * maxCharactersAtOnce + 1), from: 0 }],
  ['nothing', { typed: '', from: 0 }],
  ['a place before the beginning', { typed: 'x', from: -1 }],
  ['a place beyond the end', { typed: 'x', from: 1e9 }],
  ['more than the two fields', { typed: 'x', from: 0, html: '<b>x</b>' }],
  ['a bare string', 'x'],
])('%s is not passed on, and the call goes on', async (_, content) => {
  const { handset, caller } = await people.converse()
  send(caller.wire, caller.callId, content)
  send(caller.wire, caller.callId, { typed: 'after it', from: 0 })
  await until(() => textsAt(handset.wire).length === 2, 'the text')
  expect(textsAt(handset.wire)).toEqual([{ received: 0 }, { typed: 'after it', from: 0 }])
})

test.each(['caller', 'handset'] as const)(
  'a flood of the %s is cut off at the bound of a burst',
  async side => {
    const { handset, caller } = await people.converse()
    const [from, to] = side === 'caller' ? [caller.wire, handset.wire] : [handset.wire, caller.wire]
    const typed = 'x'.repeat(maxCharactersAtOnce)
    // Below what the socket itself refuses in a second.
    for (let sent = 0; sent < 60; sent += 1) send(from, caller.callId, { typed, from: 0 })
    await settled(from, caller.callId)
    await settled(to, caller.callId)
    const passed = textsAt(to).length - 1
    expect(passed).toBeGreaterThanOrEqual(Math.floor(textRelayLimits.burst / maxCharactersAtOnce))
    expect(passed).toBeLessThan(60)
  },
)

test('a side may send so many characters a second, and so many in a call', () => {
  const clock = createStoppedClock()
  const relay = new TextRelay(clock)
  const message = { typed: 'x'.repeat(50), from: 0 }
  const send = () => {
    let admitted = 0
    while (admitted < 2 * textRelayLimits.burst && relay.admits(message)) admitted += 50
    return admitted
  }
  expect(send()).toBe(textRelayLimits.burst)
  expect(send()).toBe(0)
  clock.advance(1000)
  expect(send()).toBe(textRelayLimits.charactersPerSecond)
  let sum = textRelayLimits.burst + textRelayLimits.charactersPerSecond
  for (let second = 0; second < 2000; second += 1) {
    clock.advance(1000)
    sum += send()
  }
  expect(sum).toBe(textRelayLimits.charactersPerCall)
})

test('no line of the log holds what was typed', async () => {
  const { handset, caller } = await people.converse()
  const secret = 'Grandmother’s recipe'
  send(caller.wire, caller.callId, { typed: secret, from: 0 })
  send(caller.wire, caller.callId, { typed: secret, from: -1 })
  await until(() => textsAt(handset.wire).length === 2, 'the text')
  caller.wire.send('hangup', { callsid: caller.callId })
  await handset.wire.frame('hangup')
  send(handset.wire, caller.callId, { typed: secret, from: 0 })
  await settled(handset.wire, caller.callId)
  expect(JSON.stringify(world.log)).toContain('call ended')
  expect(JSON.stringify(world.log)).not.toContain('recipe')
})
