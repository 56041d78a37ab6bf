import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebSocket } from 'ws'
import { systemRandom } from '#server/process/random.ts'
import { Session } from '#server/telephony/exchange/session.ts'
import { createVoiceTokens, partyId } from '#server/telephony/exchange/tokens.ts'
import { acceptSockets } from '#server/telephony/exchange/upgrade.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { secret } from './exchange-world.ts'
import { until, Wire } from './phone.ts'

const quiet = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined }

const takenNumber = '+12125550199'

let clock: ReturnType<typeof createStoppedClock>
let server: ReturnType<typeof createServer>
let session: Session
let wire: Wire
let taken: string[]
/** The check of a token waits for this. */
let gate: Promise<void>

beforeEach(async () => {
  clock = createStoppedClock()
  gate = Promise.resolve()
  const seen: string[] = []
  taken = seen
  server = createServer()
  const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
  const onSocket = (socket: WebSocket) => {
    session = new Session(socket, {
      clock,
      log: quiet,
      verify: async token => {
        await gate
        return await tokens.verify(token)
      },
      onCallFrame: (_, party, frame) => seen.push(`${partyId(party)} ${frame.type}`),
      onIdentified: () => true,
      onRegister: (_, party) => {
        if (party.kind === 'handset') seen.push(`${party.handsetId} at ${party.number}`)
        return party.kind === 'caller' || party.number !== takenNumber
      },
      onUnregister: () => seen.push('unregistered'),
      onExpired: () => seen.push('expired'),
      onClosed: () => seen.push('closed'),
    })
  }
  acceptSockets(server, '/exchange/signal', { onSocket })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  wire = await new Wire(`127.0.0.1:${(server.address() as AddressInfo).port}`).open()
})
afterEach(async () => {
  wire.drop()
  await new Promise(resolve => server.close(resolve))
})

async function listen(userId = 'user-1', ttlSeconds = 600): Promise<void> {
  const tokens = createVoiceTokens({ secret, ttlSeconds, clock, random: systemRandom })
  await wire.listen(await tokens.issue({ kind: 'caller', userId }))
}

function beat(times: number): void {
  for (let count = 0; count < times; count++) session.beat()
}

test('tells who is connected and how long the token lasts, then registers', async () => {
  await listen()
  expect(await wire.frame('connected')).toMatchObject({
    token: { identity: 'user-1', ttl: 600 },
    home: 'local',
  })
  wire.send('register', { media: { audio: true } })
  await wire.frame('ready')
  wire.send('register', { media: { audio: false } })
  await wire.frame('offline')
})

test('takes frames in order, the ones that came before the token was checked included', async () => {
  const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
  wire.send('listen', { token: await tokens.issue({ kind: 'caller', userId: 'user-1' }) })
  wire.send('register', { media: { audio: true } })
  wire.send('hangup', { callsid: 'call-1' })
  await until(() => taken.length > 0, 'the hang-up')
  await wire.frame('ready')
  expect(wire.frames.map(frame => frame.type)).toEqual(['connected', 'ready'])
  expect(taken).toEqual(['user-1 hangup'])
})

test('sends a heartbeat at least every 5 beats', async () => {
  await listen()
  beat(5)
  await until(() => wire.heartbeats === 1, 'a heartbeat')
})

test('drops a socket whose client leaves four heartbeats unanswered', async () => {
  await listen()
  beat(20)
  await until(() => wire.heartbeats === 4, 'four heartbeats')
  expect(taken).toEqual([])
  beat(1)
  await until(() => taken.includes('closed'), 'the socket to go')
})

test('keeps a socket whose client answers its heartbeats', async () => {
  await listen()
  for (let round = 0; round < 8; round++) {
    beat(5)
    await until(() => wire.heartbeats === round + 1, 'a heartbeat')
    wire.socket.send('\n')
    wire.send('register', { media: { audio: true } })
    await wire.frame('ready', round)
  }
  expect(taken).toEqual([])
})

test('closes a socket that shows no token within 30 beats', async () => {
  for (let round = 0; round < 6; round++) {
    beat(5)
    wire.send('register', { media: { audio: true } })
    await wire.frame('error', round)
  }
  beat(1)
  expect(await wire.closed).toEqual({ code: 1008, reason: 'no token' })
})

test('rejects an invalid token with 31204 and destroys the stream', async () => {
  wire.send('listen', { token: 'x.y.z' })
  expect(await wire.frame('error')).toMatchObject({ error: { code: 31204 } })
  await wire.frame('close')
  expect(await wire.closed).toMatchObject({ code: 1008 })
})

test('rejects an expired token with 31205 and waits for a fresh one', async () => {
  const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
  const token = await tokens.issue({ kind: 'caller', userId: 'user-1' })
  clock.advance(601_000)
  wire.send('listen', { token })
  expect(await wire.frame('error')).toMatchObject({ error: { code: 31205 } })
  wire.send('register', { media: { audio: true } })
  expect(await wire.frame('error', 1)).toMatchObject({ error: { code: 31204 } })
  await listen()
})

test('says when the token expires, lets calls continue and rejects new ones until a fresh token', async () => {
  await listen()
  clock.advance(600_000)
  beat(1)
  expect(await wire.frame('error')).toMatchObject({ error: { code: 31205 } })
  await wire.frame('offline')
  wire.send('dtmf', { callsid: 'call-1', dtmf: '1' })
  wire.send('invite', { callsid: 'TJS1', sdp: 'v=0' })
  expect(await wire.frame('hangup')).toMatchObject({ callsid: 'TJS1', error: { code: 31201 } })
  expect(taken).toEqual(['expired', 'user-1 dtmf'])
  await listen()
  wire.send('invite', { callsid: 'TJS2', sdp: 'v=0' })
  await until(() => taken.includes('user-1 invite'), 'the invite')
})

test('a socket stays with the user who opened it', async () => {
  await listen('user-1')
  const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
  wire.send('listen', { token: await tokens.issue({ kind: 'caller', userId: 'user-2' }) })
  expect(await wire.frame('error')).toMatchObject({ error: { code: 31204 } })
  expect(await wire.closed).toMatchObject({ code: 1008 })
})

test('rejects a call without a token, and ignores everything else', async () => {
  wire.send('hangup', { callsid: 'call-1' })
  wire.send('invite', { callsid: 'TJS1', sdp: 'v=0' })
  expect(await wire.frame('hangup')).toMatchObject({ callsid: 'TJS1', error: { code: 31201 } })
  expect(taken).toEqual([])
})

test.each([
  ['text that is not JSON', () => wire.socket.send('{'), 1008],
  ['a frame without its payload', () => wire.send('hangup', {}), 1008],
  ['a binary frame', () => wire.socket.send(Buffer.from('{}')), 1008],
  ['a frame of more than 64 KB', () => wire.send('listen', { token: 'x'.repeat(65 * 1024) }), 1009],
])('closes the socket on %s', async (_, send, code) => {
  await listen()
  send()
  expect(await wire.closed).toMatchObject({ code })
})

test('passes over frames of a type that it does not know', async () => {
  await listen()
  wire.send('presence', { whatever: true })
  wire.send('register', { media: { audio: true } })
  await wire.frame('ready')
})

test('closes a socket that sends more than 100 frames a second', async () => {
  await listen()
  for (let count = 0; count < 101; count++) wire.send('hangup', { callsid: 'call-1' })
  expect(await wire.closed).toEqual({ code: 1008, reason: 'too many frames' })
})

test('a closed socket gets no more calls, but its hang-up counts', async () => {
  const opened = Promise.withResolvers<void>()
  gate = opened.promise
  const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
  wire.send('listen', { token: await tokens.issue({ kind: 'caller', userId: 'user-1' }) })
  wire.send('invite', { callsid: 'call-1', sdp: 'v=0', reconnect: 'token' })
  wire.send('hangup', { callsid: 'call-1' })
  wire.socket.close()
  await until(() => taken.includes('closed'), 'the socket to go')
  opened.resolve()
  await until(() => taken.length > 1, 'the hang-up')
  expect(taken).toEqual(['closed', 'user-1 hangup'])
})

const handsetAt = (number: string) =>
  ({ kind: 'handset', handsetId: 'handset-1', number, whenCalled: 'ring' }) as const

async function listenAsHandset(number: string): Promise<void> {
  const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
  await wire.listen(await tokens.issue(handsetAt(number)))
}

test('a handset registers for its number, and unregisters', async () => {
  await listenAsHandset('+12125550142')
  expect(await wire.frame('connected')).toMatchObject({ token: { identity: 'handset-1' } })
  wire.send('register', { media: { audio: true } })
  await wire.frame('ready')
  wire.send('register', { media: { audio: false } })
  await wire.frame('offline')
  expect(taken).toEqual(['handset-1 at +12125550142', 'unregistered'])
})

test('turns away a handset whose number is taken, and destroys its stream', async () => {
  await listenAsHandset(takenNumber)
  wire.send('register', { media: { audio: true } })
  expect(await wire.frame('error')).toMatchObject({ error: { code: 31204 } })
  await wire.frame('close')
  expect(await wire.closed).toMatchObject({ code: 1008 })
})

test('a socket stays with the handset, whatever its number, and a user of that name cannot take it over', async () => {
  await listenAsHandset('+12125550142')
  await listenAsHandset('+12125550143')
  const tokens = createVoiceTokens({ secret, ttlSeconds: 600, clock, random: systemRandom })
  wire.send('listen', { token: await tokens.issue({ kind: 'caller', userId: 'handset-1' }) })
  expect(await wire.closed).toMatchObject({ code: 1008 })
})
