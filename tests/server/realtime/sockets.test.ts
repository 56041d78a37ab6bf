import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Socket as ClientSocket, io, type ManagerOptions, type SocketOptions } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import type { ClientEvents, ServerEvents } from '#lib/api/realtime.ts'
import { createLog } from '#server/http/log.ts'
import { defaultAccessTokenSeconds, signAccessToken } from '#server/identity/access-token.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { maxConnections } from '#server/realtime/connection-limit.ts'
import { createSockets, type Sockets } from '#server/realtime/sockets.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'

type Page = ClientSocket<ServerEvents, ClientEvents>

const accessKey = deriveKeys('a secret that only this test knows, long enough').access
const publicUrl = 'https://farline.example'
const transports = ['websocket', 'polling'] as const

let clock: MovableClock
let server: Server
let sockets: Sockets
let address: string
let logged: string
let greeted: string[]
let greet: (userId: string) => Promise<void>
const overSessions = new Set<string>()
const pages: Page[] = []
const floods: WebSocket[] = []

beforeEach(async () => {
  clock = createStoppedClock()
  logged = ''
  greeted = []
  greet = async () => {}
  server = createServer()
  const log = createLog('error', {
    write: line => {
      logged += line
    },
  })
  overSessions.clear()
  const sessionIsOver = async (id: string) => overSessions.has(id)
  sockets = createSockets({ accessKey, clock, publicUrl, log, sessionIsOver, trustedProxies: 1 })
  sockets.open(server, userId => {
    greeted.push(userId)
    return greet(userId)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  for (const page of pages.splice(0)) page.disconnect()
  for (const socket of floods.splice(0)) socket.terminate()
  await sockets.close()
  server.closeAllConnections()
  server.close()
})

type Options = Partial<ManagerOptions & SocketOptions>

/** A page's socket, and how the handshake went: 'connected', or why not. */
async function connect(options: Options): Promise<{ page: Page; outcome: string }> {
  const page: Page = io(address, {
    forceNew: true,
    reconnection: false,
    transports: ['websocket'],
    ...options,
  })
  pages.push(page)
  const outcome = await new Promise<string>(resolve => {
    page.once('connect', () => resolve('connected'))
    page.once('connect_error', error => resolve(error.message))
  })
  return { page, outcome }
}

async function connectAs(userId: string, options: Options = {}): Promise<Page> {
  const token = await signAccessToken(accessKey, userId, clock)
  const { page, outcome } = await connect({ auth: { token }, ...options })
  expect(outcome).toBe('connected')
  return page
}

function register(page: Page, userId: string): Promise<boolean> {
  return page.timeout(2000).emitWithAck('register', userId)
}

/** Registered under its own id, and what was pushed to it since. */
async function listenAs(userId: string, options: Options = {}): Promise<{ page: Page; heard: unknown[] }> {
  const page = await connectAs(userId, options)
  const heard: unknown[] = []
  page.onAny((name: string, event: unknown) => heard.push([name, event]))
  expect(await register(page, userId)).toBe(true)
  return { page, heard }
}

/** Long enough for whatever was under way between this process and itself. */
const settle = () => new Promise(resolve => setTimeout(resolve, 60))

const disconnected = (page: Page) => new Promise<string>(resolve => page.once('disconnect', resolve))

test.each<[string, () => unknown]>([
  ['no handshake data', () => undefined],
  ['no token', () => ({})],
  ['a token that is no text', () => ({ token: { sub: 'anna' } })],
  ['a token that is no token', () => ({ token: 'anna' })],
])('rejects a socket with %s', async (_, auth) => {
  const { outcome } = await connect({ auth: auth() as Record<string, unknown> })
  expect(outcome).toBe('unauthorized')
})

test('rejects a token that another key signed', async () => {
  const token = await signAccessToken(deriveKeys('the secret of somebody else').access, 'anna', clock)
  expect((await connect({ auth: { token } })).outcome).toBe('unauthorized')
})

test('rejects a token once it has expired, and keeps the socket that it opened before', async () => {
  const token = await signAccessToken(accessKey, 'anna', clock)
  const { page } = await connect({ auth: { token } })
  clock.advance(defaultAccessTokenSeconds * 1000)
  expect((await connect({ auth: { token } })).outcome).toBe('unauthorized')
  expect(await register(page, 'anna')).toBe(true)
})

const sessionToken = (sessionId: string) =>
  signAccessToken(accessKey, 'anna', clock, defaultAccessTokenSeconds, sessionId)

test('closes the sockets of a session that is over, and those of no other', async () => {
  const tokens = [await sessionToken('s1'), await sessionToken('s1'), await sessionToken('s2')]
  const opened = await Promise.all(tokens.map(token => connect({ auth: { token } })))
  const [one, two, other] = opened.map(({ page }) => page)
  const legacy = await connectAs('anna')
  expect(new Set(sockets.sessions())).toEqual(new Set(['s1', 's2']))
  if (one === undefined || two === undefined || other === undefined) throw new Error('three were opened')
  const gone = Promise.all([disconnected(one), disconnected(two)])
  sockets.closeSessions(['s1'])
  expect(await gone).toEqual(['io server disconnect', 'io server disconnect'])
  expect([other.connected, legacy.connected]).toEqual([true, true])
  expect(sockets.sessions()).toEqual(['s2'])
})

test('rejects the token of a session that ends before the token', async () => {
  const token = await sessionToken('s1')
  expect((await connect({ auth: { token } })).outcome).toBe('connected')
  overSessions.add('s1')
  expect((await connect({ auth: { token } })).outcome).toBe('unauthorized')
  expect((await connect({ auth: { token: await sessionToken('s2') } })).outcome).toBe('connected')
})

for (const transport of transports) {
  const over = (origin: string): Options => ({ transports: [transport], extraHeaders: { origin } })

  test.each(['https://evil.example', 'null', 'https://farline.example.evil.example', 'http://127.0.0.1:1'])(
    `rejects a page of %s over ${transport}`,
    async origin => {
      const token = await signAccessToken(accessKey, 'anna', clock)
      const { outcome } = await connect({ auth: { token }, ...over(origin) })
      expect(outcome).toBe(transport === 'websocket' ? 'websocket error' : 'xhr poll error')
    },
  )

  test(`accepts pages of its own host and of the public address over ${transport}`, async () => {
    await connectAs('anna', over(address))
    await connectAs('anna', over(publicUrl))
  })
}

test('answers false to another user’s id, disconnects, and sends that socket nothing', async () => {
  const page = await connectAs('mallory')
  const heard: string[] = []
  page.onAny((name: string) => heard.push(name))
  const gone = disconnected(page)
  expect(await register(page, 'anna')).toBe(false)
  expect(await gone).toBe('io server disconnect')
  sockets.balance('anna', { credits: 1 })
  await settle()
  expect(heard).toEqual([])
  expect(greeted).toEqual([])
})

test('disconnects a page that registers with something that is no id, acknowledged or not', async () => {
  const page = await connectAs('anna')
  const gone = disconnected(page)
  page.emit('register', { toString: 'anna' } as unknown as string)
  expect(await gone).toBe('io server disconnect')
})

test('sends every page of a user its events, and other users nothing', async () => {
  const [here, there] = [await listenAs('anna'), await listenAs('anna', { transports: ['polling'] })]
  const other = await listenAs('bruno')
  const silent = await connectAs('anna')
  const unasked: string[] = []
  silent.onAny((name: string) => unasked.push(name))

  const call = { id: 'c1', state: 'answered', answeredAt: '2026-03-01T12:00:00.000Z', outcome: null } as const
  sockets.balance('anna', { credits: 4.5 })
  sockets.call('anna', call)
  sockets.callError('anna', { message: 'The line is busy.', callId: 'c1' })
  sockets.balance('bruno', { credits: 2 })

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
  greet = async () => {
    throw new Error('the database is away')
  }
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const { page, heard } = await listenAs('anna')
    await expect.poll(() => logged).toContain('sending the current state to a new socket failed')
    expect(logged).toContain('the database is away')
    sockets.balance('anna', { credits: 3 })
    await expect.poll(() => heard).toEqual([['balance', { credits: 3 }]])
    expect(page.connected).toBe(true)
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})

test.each(['anna', 'bruno'])('does nothing on a second register (as %s)', async secondId => {
  const { page, heard } = await listenAs('anna')
  let answers = 0
  page.emit('register', secondId, () => {
    answers += 1
  })
  await settle()
  expect(answers).toBe(0)
  expect(greeted).toEqual(['anna'])
  expect(page.connected).toBe(true)
  sockets.balance('bruno', { credits: 9 })
  sockets.balance('anna', { credits: 3 })
  await expect.poll(() => heard).toEqual([['balance', { credits: 3 }]])
})

test.each(transports)('closes on a frame above 16 KB over %s, and not on one below', async transport => {
  const page = await connectAs('anna', { transports: [transport] })
  // An event nobody listens to: only its size can close the socket.
  const send = (length: number) => (page as ClientSocket).emit('unknown', 'x'.repeat(length))
  send(15 * 1024)
  await settle()
  expect(page.connected).toBe(true)
  const gone = disconnected(page)
  send(16 * 1024)
  expect(await gone).toMatch(/^transport (close|error)$/)
})

/** A connection of a flood: no token, no register, nothing. Resolves when it is open, or with its rejection. */
async function floodFrom(forwardedFor: string): Promise<WebSocket | string> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`, {
    headers: { 'x-forwarded-for': forwardedFor },
  })
  floods.push(socket)
  return new Promise(resolve => {
    socket.once('open', () => resolve(socket))
    socket.once('error', error => resolve(error.message))
  })
}

test('REL-38: limits the sockets of one address; other addresses, and the same one after it closed one, still can open more', async () => {
  const opened = await Promise.all(Array.from({ length: maxConnections }, () => floodFrom('203.0.113.5')))
  expect(opened.filter(socket => typeof socket === 'string')).toEqual([])
  expect(await floodFrom('203.0.113.5')).toBe('Unexpected server response: 400')
  // What a client says before our own proxy does counts for nothing.
  expect(await floodFrom('198.51.100.1, 203.0.113.5')).toBe('Unexpected server response: 400')
  expect(await floodFrom('203.0.113.6')).toBeInstanceOf(WebSocket)
  await connectAs('anna')
  floods[0]?.close()
  await expect.poll(async () => typeof (await floodFrom('203.0.113.5'))).toBe('object')
})

test('REL-38: frames of 1 MB end their sockets, and a page among them is served', async () => {
  const { page, heard } = await listenAs('anna')
  const flood = (await Promise.all(Array.from({ length: 50 }, (_, n) => floodFrom(`203.0.113.${n}`)))).filter(
    socket => typeof socket !== 'string',
  )
  expect(flood).toHaveLength(50)
  const frame = Buffer.alloc(1 << 20, 'x')
  const closed = Promise.all(flood.map(socket => once(socket, 'close')))
  for (const socket of flood) socket.send(frame)
  sockets.balance('anna', { credits: 1 })
  await closed
  await expect.poll(() => heard).toEqual([['balance', { credits: 1 }]])
  expect(page.connected).toBe(true)
})

test('a socket that says more than a page has to say is closed, and the others stay', async () => {
  const { page: quiet } = await listenAs('quiet')
  const { page: loud } = await listenAs('loud')
  const over = disconnected(loud)
  for (let time = 0; time < 30; time += 1) loud.emit('register', 'loud')
  expect(await over).toBe('io server disconnect')
  await settle()
  expect(quiet.connected).toBe(true)
})
