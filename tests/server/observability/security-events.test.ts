import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { googleCallbackPath } from '#lib/account/google-sign-in.ts'
import { lookUpAccount } from '#server/admin/look-up.ts'
import { failedLoginPolicy } from '#server/config/policy.ts'
import { reportForeignSocket } from '#server/http/origin.ts'
import { addressOf, type SocketRequest } from '#server/http/socket-address.ts'
import { eventSubject } from '#server/observability/security-events.ts'
import { createSockets } from '#server/realtime/sockets.ts'
import { acceptSockets } from '#server/telephony/exchange/upgrade.ts'
import { keepForFile } from '#support/file-world.ts'
import { readRefreshCookie } from '#support/web.ts'
import { createGoogleWorld } from '../identity/google/google-world.ts'
import { createWatched } from './watched.ts'

const watched = keepForFile(await createWatched())
afterEach(() => vi.restoreAllMocks())

const email = 'anna.berg@example.com'
const password = 'correct horse battery'
const address = '203.0.113.77'

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  watched.app.inject({ method: 'POST', url: `/api/auth/${url}`, payload, headers, remoteAddress: address })
const counted = (event: string) => watched.metric(`farline_security_events_total{event="${event}"}`)
const events = (log: { mock: { calls: unknown[][] } }) =>
  log.mock.calls
    .filter(([, message]) => message === 'a security event')
    .map(([details]) => details as Record<string, string>)

test('all of them are there from the start, so that the first is an increase', async () => {
  for (const event of ['sign_in_failed', 'sign_in_locked', 'refresh_replayed', 'origin_refused'])
    expect(await watched.read()).toContain(`farline_security_events_total{event="${event}"} 0`)
})

test('failed log-ins and lockouts, replays and foreign pages are counted, and written down without a name', async () => {
  const warned = vi.spyOn(watched.services.log, 'warn')
  await post('register', { email, password })
  const { maxPerAccount } = failedLoginPolicy
  for (let time = 0; time < maxPerAccount; time += 1)
    expect(
      (await post('login', { email: ' Anna.Berg@Example.com', password: 'a wrong one' })).statusCode,
    ).toBe(401)
  expect((await post('login', { email, password })).statusCode).toBe(429)
  expect([await counted('sign_in_failed'), await counted('sign_in_locked')]).toEqual([maxPerAccount, 1])

  watched.world.clock.advance(15 * 60_000)
  const cookie = readRefreshCookie((await post('login', { email, password })).headers['set-cookie'])
  await post('refresh-token', {}, { cookie })
  watched.world.clock.advance(20_001)
  await Promise.all([post('refresh-token', {}, { cookie }), post('refresh-token', {}, { cookie })])
  expect(await counted('refresh_replayed')).toBe(1)

  expect((await post('logout', {}, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403)
  expect(await counted('origin_refused')).toBe(1)

  const account = eventSubject(watched.services, 'account', email)
  const network = eventSubject(watched.services, 'network', address)
  const written = events(warned)
  expect(written.slice(0, maxPerAccount)).toEqual(
    Array(maxPerAccount).fill({ securityEvent: 'sign_in_failed', account, network }),
  )
  expect(written.slice(maxPerAccount)).toEqual([
    { securityEvent: 'sign_in_locked', account, network },
    { securityEvent: 'refresh_replayed', account, network },
    { securityEvent: 'origin_refused', network },
  ])
  for (const clear of ['anna', 'Anna', '203.0', 'example.com'])
    expect(JSON.stringify(written)).not.toContain(clear)
  expect(account).toMatch(/^[\w-]{16}$/)
})

test('counts wrong current passwords of a signed-in user, and the lockout after them', async () => {
  const leftOpen = 'left.open@example.com'
  await post('register', { email: leftOpen, password })
  const { token } = (await post('login', { email: leftOpen, password })).json()
  const ask = (method: 'POST' | 'DELETE', url: string, payload: object) =>
    watched.app.inject({
      method,
      url,
      payload,
      headers: { authorization: `Bearer ${token}` },
      remoteAddress: address,
    })
  // A sign-in of just now would do instead of the password.
  watched.world.clock.advance(11 * 60_000)
  const warned = vi.spyOn(watched.services.log, 'warn')
  const [failedBefore, lockedBefore] = [await counted('sign_in_failed'), await counted('sign_in_locked')]
  const wrong = 'a wrong one'
  const next = 'horses that batter correctly'
  const guesses = [
    () => ask('POST', '/api/protected/profile/password', { current: wrong, next }),
    () => ask('POST', '/api/protected/profile/email', { email: 'else@example.com', password: wrong }),
    () => ask('POST', '/api/protected/delete-account', { confirm: leftOpen, password: wrong }),
    () => ask('DELETE', '/api/protected/devices', { password: wrong }),
  ]
  const { maxPerAccount } = failedLoginPolicy
  const answers: number[] = []
  for (let time = 0; time < maxPerAccount; time += 1)
    answers.push((await guesses[time % guesses.length]?.())?.statusCode ?? 0)
  expect(answers).toEqual(Array(maxPerAccount).fill(403))
  for (const guess of guesses) expect((await guess()).statusCode).toBe(429)

  expect(await counted('sign_in_failed')).toBe(failedBefore + maxPerAccount)
  expect(await counted('sign_in_locked')).toBe(lockedBefore + guesses.length)
  const account = eventSubject(watched.services, 'account', leftOpen)
  const network = eventSubject(watched.services, 'network', address)
  const about = { account, network, by: 'current_password' }
  expect(events(warned)).toEqual([
    ...Array(maxPerAccount).fill({ securityEvent: 'sign_in_failed', ...about }),
    ...Array(guesses.length).fill({ securityEvent: 'sign_in_locked', ...about }),
  ])
})

test('counts pages of another site that ask for a socket, at the events and at the exchange', async () => {
  const warned = vi.spyOn(watched.services.log, 'warn')
  const before = await counted('origin_refused')
  const addressOfSocket = (request: SocketRequest) =>
    addressOf(request, { trustedProxies: 1, production: false })
  const onForeignOrigin = (request: SocketRequest) =>
    reportForeignSocket(watched.services, addressOfSocket(request))
  const { keys, clock, publicUrl, log } = watched.services
  const server = createServer()
  const sockets = createSockets({
    ...{ accessKey: keys.access, clock, publicUrl, log },
    addressOf: addressOfSocket,
    onForeignOrigin,
  })
  sockets.open(server, async () => undefined)
  const stop = acceptSockets(server, '/exchange/signal', {
    onSocket: socket => socket.close(),
    onForeignOrigin,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const open = async (path: string, origin: string) => {
    const socket = new WebSocket(`ws://${host}${path}`, { origin, headers: { 'x-forwarded-for': address } })
    const outcome = await Promise.race([
      once(socket, 'open').then(() => 'opened'),
      once(socket, 'error').then(() => 'refused'),
    ]).catch(() => 'refused')
    socket.on('error', () => undefined)
    socket.terminate()
    return outcome
  }
  for (const path of ['/socket.io/?EIO=4&transport=websocket', '/exchange/signal']) {
    expect(await open(path, `http://${host}`)).toBe('opened')
    expect(await open(path, 'https://evil.example')).toBe('refused')
  }
  stop()
  await sockets.close()
  server.closeAllConnections()
  server.close()
  expect(await counted('origin_refused')).toBe(before + 2)
  const network = eventSubject(watched.services, 'network', address)
  expect(events(warned)).toEqual(Array(2).fill({ securityEvent: 'origin_refused', network }))
})

test('counts sign-ins with Google that fail verification, but not those that the user cancelled', async () => {
  const google = await createGoogleWorld()
  try {
    const warned = vi.spyOn(google.services.log, 'warn')
    const account = { email: 'google.user@example.com' }
    await google.signIn(account)
    await google.signIn(null)
    expect(events(warned)).toEqual([])

    const unconfirmed = { email: 'nobody.yet@example.com', verified: false, subject: 'unconfirmed' }
    await google.signIn(unconfirmed)
    await google.comeBack(new URL(`${googleCallbackPath}?state=forged&code=forged`, 'http://localhost'), {})
    const begun = await google.begin()
    await google.comeBack(google.choose(begun, account, { nonce: 'another' }), begun.cookies)
    const network = eventSubject(google.services, 'network', '127.0.0.1')
    const about = { securityEvent: 'sign_in_failed', network, by: 'google' }
    const named = eventSubject(google.services, 'account', unconfirmed.email)
    expect(events(warned)).toEqual([{ ...about, account: named }, about, about])
  } finally {
    await google.close()
  }
})

test('an operator finds what an account is called there; with another secret it is called otherwise', async () => {
  const found = await lookUpAccount(watched.services, { email, actor: 'test' })
  const name = eventSubject(watched.services, 'account', email)
  expect(found).toMatchObject({ ok: true, value: { eventName: name } })
  const other = { keys: { ...watched.services.keys, security: new Uint8Array(32) } }
  expect(eventSubject(other, 'account', email)).not.toBe(name)
})
