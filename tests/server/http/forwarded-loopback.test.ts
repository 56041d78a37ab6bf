import Fastify, { type InjectOptions } from 'fastify'
import { expect, test } from 'vitest'
import { failedLoginPolicy } from '#server/config/policy.ts'
import { limitConnections, maxConnections } from '#server/http/connection-limit.ts'
import { nameGoneConnections } from '#server/http/forwarded-loopback.ts'
import { addressOf, type SocketRequest } from '#server/http/socket-address.ts'
import { originOf } from '#server/limits/origin.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, type Web } from '#support/web.ts'

/** One proxy is in front, which adds 203.0.113.9, and two are trusted: the visitor wrote the first address. */
const forged = { 'x-forwarded-for': '127.0.0.1, 203.0.113.9' }
const production = keepForFile(await createWeb({ production: true, trustedProxies: 2 }))
/** A proxy on this machine is in front, and none is trusted. */
const untrusting = keepForFile(await createWeb({ production: true, trustedProxies: 0 }))
const development = keepForFile(await createWeb({ trustedProxies: 2 }))

/** Gets a voice token. @returns whether calls of that user count as this machine's */
async function isLocal(web: Web, email: string, headers: NonNullable<InjectOptions['headers']>) {
  const { token, userId } = await web.signUp(email)
  const answer = await web.app.inject({
    url: '/api/token',
    headers: { ...headers, authorization: `Bearer ${token}` },
  })
  expect(answer.statusCode, answer.body).toBe(200)
  return (await originOf(web.db, userId))?.local
}

test('in production no header makes a visitor this machine, whose calls have no limits', async () => {
  expect(await isLocal(production, 'forger@example.com', forged)).toBe(false)
  for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via'])
    expect(await isLocal(untrusting, `${header}@example.com`, { [header]: '127.0.0.1' })).toBe(false)
  expect(await isLocal(production, 'operator@example.com', {})).toBe(true)
  expect(await isLocal(development, 'forger@example.com', forged)).toBe(true)
})

test('in production visitors whose address no proxy says share the limits of one address', async () => {
  const logIn = async (nth: number, web: Web) =>
    (
      await web.app.inject({
        method: 'POST',
        url: '/api/auth/login',
        headers: forged,
        payload: { email: `victim-${nth}@example.com`, password: 'a wrong one' },
      })
    ).statusCode
  for (let nth = 0; nth < failedLoginPolicy.maxPerAddress; nth += 1)
    expect(await logIn(nth, production)).toBe(401)
  expect(await logIn(999, production)).toBe(429)
})

test('a request whose connection is gone counts as one of an unknown address', async () => {
  const app = Fastify()
  app.addHook('onRequest', async ({ raw }) => {
    Object.defineProperty(raw.socket, 'remoteAddress', { value: undefined })
  })
  nameGoneConnections(app)
  app.get('/', async ({ ip }) => ({ ip }))
  expect((await app.inject('/')).json()).toEqual({ ip: '0.0.0.0' })
  await app.close()
})

test('in production their sockets count as those of one address, too', () => {
  const request = (headers: SocketRequest['headers'], remoteAddress = '127.0.0.1') =>
    ({ headers, socket: { remoteAddress } }) as SocketRequest
  const admitted = (headers: SocketRequest['headers'], isProduction = true) => {
    const connections = limitConnections(asked =>
      addressOf(asked, { trustedProxies: 2, production: isProduction }),
    )
    for (let nth = 0; nth < maxConnections; nth += 1)
      connections.count({ request: request(headers), once: () => undefined } as never)
    return connections.admits(request(headers))
  }
  expect(admitted(forged)).toBe(false)
  expect(admitted({})).toBe(true)
  expect(admitted(forged, false)).toBe(true)
  expect(
    addressOf(request({ 'x-forwarded-for': '203.0.113.9, 10.0.0.1' }), {
      trustedProxies: 2,
      production: true,
    }),
  ).toBe('203.0.113.9')
})
