import { afterEach, beforeEach, expect, test } from 'vitest'
import { defaultAccessTokenSeconds, signAccessToken } from '#server/identity/access-token.ts'
import { deriveKeys } from '#server/process/secret.ts'
import {
  accessKey,
  disconnected,
  type Options,
  publicUrl,
  type SocketServer,
  settle,
  startSocketServer,
  transports,
} from './socket-server.ts'

let server: SocketServer
beforeEach(async () => {
  server = await startSocketServer()
})
afterEach(() => server.close())

test.each<[string, () => unknown]>([
  ['no handshake data', () => undefined],
  ['no token', () => ({})],
  ['a token that is no text', () => ({ token: { sub: 'anna' } })],
  ['a token that is no token', () => ({ token: 'anna' })],
])('rejects a socket with %s', async (_, auth) => {
  const { outcome } = await server.connect({ auth: auth() as Record<string, unknown> })
  expect(outcome).toBe('unauthorized')
})

test('rejects a token that another key signed', async () => {
  const token = await signAccessToken(deriveKeys('the secret of somebody else').access, 'anna', server.clock)
  expect((await server.connect({ auth: { token } })).outcome).toBe('unauthorized')
})

test('rejects a token once it has expired, and keeps the socket that it opened before', async () => {
  const token = await signAccessToken(accessKey, 'anna', server.clock)
  const { page } = await server.connect({ auth: { token } })
  server.clock.advance(defaultAccessTokenSeconds * 1000)
  expect((await server.connect({ auth: { token } })).outcome).toBe('unauthorized')
  expect(await server.register(page, 'anna')).toBe(true)
})

const sessionToken = (sessionId: string) =>
  signAccessToken(accessKey, 'anna', server.clock, defaultAccessTokenSeconds, sessionId)

test('closes the sockets of a session that is over, and those of no other', async () => {
  const tokens = [await sessionToken('s1'), await sessionToken('s1'), await sessionToken('s2')]
  const opened = await Promise.all(tokens.map(token => server.connect({ auth: { token } })))
  const [one, two, other] = opened.map(({ page }) => page)
  const legacy = await server.connectAs('anna')
  expect(new Set(server.sockets.sessions())).toEqual(new Set(['s1', 's2']))
  if (one === undefined || two === undefined || other === undefined) throw new Error('three were opened')
  const gone = Promise.all([disconnected(one), disconnected(two)])
  server.sockets.closeSessions(['s1'])
  expect(await gone).toEqual(['io server disconnect', 'io server disconnect'])
  expect([other.connected, legacy.connected]).toEqual([true, true])
  expect(server.sockets.sessions()).toEqual(['s2'])
})

test('rejects the token of a session that ends before the token', async () => {
  const token = await sessionToken('s1')
  expect((await server.connect({ auth: { token } })).outcome).toBe('connected')
  server.overSessions.add('s1')
  expect((await server.connect({ auth: { token } })).outcome).toBe('unauthorized')
  expect((await server.connect({ auth: { token: await sessionToken('s2') } })).outcome).toBe('connected')
})

for (const transport of transports) {
  const over = (origin: string): Options => ({ transports: [transport], extraHeaders: { origin } })

  test.each(['https://evil.example', 'null', 'https://farline.example.evil.example', 'http://127.0.0.1:1'])(
    `rejects a page of %s over ${transport}`,
    async origin => {
      const token = await signAccessToken(accessKey, 'anna', server.clock)
      const { outcome } = await server.connect({ auth: { token }, ...over(origin) })
      expect(outcome).toBe(transport === 'websocket' ? 'websocket error' : 'xhr poll error')
    },
  )

  test(`accepts pages of its own host and of the public address over ${transport}`, async () => {
    await server.connectAs('anna', over(server.address))
    await server.connectAs('anna', over(publicUrl))
  })
}

test('answers false to another user’s id, disconnects, and sends that socket nothing', async () => {
  const page = await server.connectAs('mallory')
  const heard: string[] = []
  page.onAny((name: string) => heard.push(name))
  const gone = disconnected(page)
  expect(await server.register(page, 'anna')).toBe(false)
  expect(await gone).toBe('io server disconnect')
  server.sockets.balance('anna', { credits: 1 })
  await settle()
  expect(heard).toEqual([])
  expect(server.seen.greeted).toEqual([])
})

test('disconnects a page that registers with something that is no id, acknowledged or not', async () => {
  const page = await server.connectAs('anna')
  const gone = disconnected(page)
  page.emit('register', { toString: 'anna' } as unknown as string)
  expect(await gone).toBe('io server disconnect')
})

test('sends every page of a user its events, and other users nothing', async () => {
  const [here, there] = [
    await server.listenAs('anna'),
    await server.listenAs('anna', { transports: ['polling'] }),
  ]
  const other = await server.listenAs('bruno')
  const silent = await server.connectAs('anna')
  const unasked: string[] = []
  silent.onAny((name: string) => unasked.push(name))

  const call = { id: 'c1', state: 'answered', answeredAt: '2026-03-01T12:00:00.000Z', outcome: null } as const
  server.sockets.balance('anna', { credits: 4.5 })
  server.sockets.call('anna', call)
  server.sockets.callError('anna', { message: 'The line is busy.', callId: 'c1' })
  server.sockets.balance('bruno', { credits: 2 })

  const forAnna = [
    ['balance', { credits: 4.5 }],
    ['call', call],
    ['call_error', { message: 'The line is busy.', callId: 'c1' }],
  ]
  await expect.poll(() => here.heard).toEqual(forAnna)
  await expect.poll(() => there.heard).toEqual(forAnna)
  await expect.poll(() => other.heard).toEqual([['balance', { credits: 2 }]])
  await settle()
  expect(other.heard).toHaveLength(1)
  expect(unasked).toEqual([])
})

test('a greeting that fails is logged and costs neither the process nor the socket', async () => {
  server.seen.greet = async () => {
    throw new Error('the database is away')
  }
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const { page, heard } = await server.listenAs('anna')
    await expect.poll(() => server.seen.logged).toContain('sending the current state to a new socket failed')
    expect(server.seen.logged).toContain('the database is away')
    server.sockets.balance('anna', { credits: 3 })
    await expect.poll(() => heard).toEqual([['balance', { credits: 3 }]])
    expect(page.connected).toBe(true)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})

test.each(['anna', 'bruno'])('does nothing on a second register (as %s)', async secondId => {
  const { page, heard } = await server.listenAs('anna')
  let answers = 0
  page.emit('register', secondId, () => {
    answers += 1
  })
  await settle()
  expect(answers).toBe(0)
  expect(server.seen.greeted).toEqual(['anna'])
  expect(page.connected).toBe(true)
  server.sockets.balance('bruno', { credits: 9 })
  server.sockets.balance('anna', { credits: 3 })
  await expect.poll(() => heard).toEqual([['balance', { credits: 3 }]])
})
