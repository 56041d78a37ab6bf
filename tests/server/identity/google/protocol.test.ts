import { beforeEach, expect, test, vi } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'
import { createGoogleWorld, type Wire } from './google-world.ts'

const world = keepForFile(await createGoogleWorld())
beforeEach(() => {
  world.wire.answer = undefined
  world.wire.change = undefined
  world.wire.asked.length = 0
})

const someone = { email: 'someone@example.com' }
const problemOf = ({ address }: { address: URL }) => address.searchParams.get('problem')
const parts = (token: unknown) => String(token).split('.')

test('the browser is sent to the issuer with a digest of the secret only, and comes back signed in', async () => {
  const begun = await world.begin({ next: '/buy-credits?amount=25' })
  const asked = Object.fromEntries(begun.address.searchParams)
  expect(begun.address.href.split('?')[0]).toBe(world.issuer.issuer)
  expect(asked).toMatchObject({
    response_type: 'code',
    scope: 'openid email',
    code_challenge_method: 'S256',
    client_id: world.issuer.clientId,
    redirect_uri: 'http://localhost:4321/api/auth/google/callback',
  })
  for (const part of ['state', 'nonce', 'code_challenge'] as const) expect(asked[part]).toMatch(/^[\w-]{43}$/)
  const [sealed = ''] = Object.values(begun.cookies)
  expect(sealed).not.toContain(asked.nonce)

  const back = await world.comeBack(world.choose(begun, someone), begun.cookies)
  expect(`${back.address.pathname}${back.address.search}`).toBe(
    '/login?signed_in=google&next=%2Fbuy-credits%3Famount%3D25',
  )
  expect(Object.keys(back.cookies)).toEqual(['refresh', 'signed-in', 'known-device'])
  expect(await world.me(back)).toMatchObject({
    email: 'someone@example.com',
    email_verified: true,
    credits: 0,
  })
})

test('the browser keeps the attempt for our server alone, for 10 minutes', async () => {
  const reply = await world.app.inject({ url: '/api/auth/google/start' })
  expect(reply.cookies).toEqual([
    expect.objectContaining({ httpOnly: true, sameSite: 'Lax', path: '/', maxAge: 600 }),
  ])
})

test.each([
  ['the state is another one', { state: 'x'.repeat(43) }, 'google_expired'],
  ['the nonce in the token is another one', { nonce: 'x'.repeat(43) }, 'google_failed'],
  ['the code belongs to another verifier', { code_challenge: 'x'.repeat(43) }, 'google_failed'],
])('nobody is signed in if %s', async (_what, change, problem) => {
  const begun = await world.begin()
  const back = await world.comeBack(world.choose(begun, someone, change), begun.cookies)
  expect(problemOf(back)).toBe(problem)
  expect(back.cookies.refresh).toBeUndefined()
})

test('rejects an answer to an attempt of another browser', async () => {
  const attacker = await world.begin()
  const victim = await world.begin()
  const back = await world.comeBack(world.choose(attacker, someone), victim.cookies)
  expect(problemOf(back)).toBe('google_expired')
  expect(back.cookies.refresh).toBeUndefined()
  expect(world.wire.asked).not.toContain('/token')
})

test('an answer works once, also for who kept the cookie', async () => {
  const begun = await world.begin()
  const address = world.choose(begun, someone)
  expect(problemOf(await world.comeBack(address, begun.cookies))).toBeNull()
  expect(problemOf(await world.comeBack(address, begun.cookies))).toBe('google_failed')
  expect(problemOf(await world.comeBack(address, {}))).toBe('google_expired')
})

test('rejects a token that was altered, or signed by another key', async () => {
  const begun = await world.begin()
  world.wire.change = (path, body) => {
    if (path !== '/token') return body
    const [head, claims = '', signature] = parts(body.id_token)
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString())
    const other = Buffer.from(JSON.stringify({ ...read, email: 'boss@example.com' })).toString('base64url')
    return { ...body, id_token: [head, other, signature].join('.') }
  }
  expect(problemOf(await world.comeBack(world.choose(begun, someone), begun.cookies))).toBe('google_failed')
})

test('rejects a token without a signature', async () => {
  const begun = await world.begin()
  world.wire.change = (path, body) => {
    if (path !== '/token') return body
    const head = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    return { ...body, id_token: `${head}.${parts(body.id_token)[1]}.` }
  }
  expect(problemOf(await world.comeBack(world.choose(begun, someone), begun.cookies))).toBe('google_failed')
})

test('an attempt of more than 10 minutes has to begin again', async () => {
  const begun = await world.begin()
  const address = world.choose(begun, someone)
  world.clock.advance(10 * 60_000 + 1000)
  expect(problemOf(await world.comeBack(address, begun.cookies))).toBe('google_expired')
})

test('tells a user who presses cancel so, where they began', async () => {
  const begun = await world.begin({ next: '/referrals' })
  const back = await world.comeBack(world.choose(begun, null), begun.cookies)
  expect(back.address.pathname).toBe('/login')
  expect(Object.fromEntries(back.address.searchParams)).toEqual({
    problem: 'google_denied',
    next: '/referrals',
  })
})

test('reports an issuer that fails in the middle, and recovers by itself', async () => {
  const begun = await world.begin()
  world.wire.answer = path => (path === '/token' ? new Response('', { status: 500 }) : undefined)
  expect(problemOf(await world.comeBack(world.choose(begun, someone), begun.cookies))).toBe(
    'google_unreachable',
  )
  world.wire.answer = undefined
  expect(problemOf(await world.signIn(someone))).toBeNull()
})

test('returns to the page in the language in which it began, and to English for one that there is not', async () => {
  const pageAfter = async (language: string) => {
    const begun = await world.begin({ language, next: '/es/call' })
    const back = await world.comeBack(world.choose(begun, null), begun.cookies)
    return back.address.pathname
  }
  expect(await pageAfter('es')).toBe('/es/login')
  expect(await pageAfter('xx')).toBe('/login')
  expect(await pageAfter('/evil.example')).toBe('/login')
})

test('never returns to a page elsewhere or to the log-in page itself', async () => {
  for (const next of ['https://evil.example/', '//evil.example', '/login?next=/login', '/\\evil.example']) {
    const back = await world.signIn({ ...someone, next })
    expect(Object.fromEntries(back.address.searchParams)).toEqual({ signed_in: 'google' })
  }
})

test('a link pressed before the script of its page ran leads on to where that page would', async () => {
  const nextAfter = async (referer: string) => {
    const reply = await world.app.inject({ url: '/api/auth/google/start', headers: { referer } })
    const [cookie] = reply.cookies
    const begun = {
      address: new URL(String(reply.headers.location)),
      cookies: { [cookie?.name ?? '']: cookie?.value ?? '' },
    }
    const back = await world.comeBack(world.choose(begun, someone), begun.cookies)
    return back.address.searchParams.get('next')
  }
  expect(await nextAfter(`${world.services.publicUrl}/login?next=/referrals`)).toBe('/referrals')
  expect(await nextAfter('https://evil.example/login?next=/referrals')).toBeNull()
})

test('two tabs at once both sign in, and a pressed button many times leaves no heap of cookies', async () => {
  const one = await world.begin()
  const two = await world.begin({ cookies: one.cookies })
  const first = await world.comeBack(world.choose(one, someone), two.cookies)
  expect(problemOf(first)).toBeNull()
  expect(problemOf(await world.comeBack(world.choose(two, someone), first.cookies))).toBeNull()
  let visit = await world.begin()
  for (let press = 0; press < 20; press += 1) visit = await world.begin({ cookies: visit.cookies })
  expect(Object.keys(visit.cookies).length).toBeLessThanOrEqual(5)
})

test('an issuer that is away prevents no start, and is asked again at the next press', async () => {
  const other = await createGoogleWorld({ timeoutSeconds: 1 })
  try {
    await other.issuer.keys() // making them takes a while, and is not what is timed
    expect(other.wire.asked).toEqual([])
    const failures: NonNullable<Wire['answer']>[] = [
      () => new Response('', { status: 500 }),
      () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ECONNREFUSED') })),
      (_path, signal) =>
        new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      () => Response.json({ issuer: 'https://elsewhere.example' }),
    ]
    for (const answer of failures) {
      other.wire.answer = answer
      const begun = await other.begin({ next: '/referrals' })
      expect(Object.fromEntries(begun.address.searchParams)).toEqual({
        problem: 'google_unreachable',
        next: '/referrals',
      })
    }
    other.wire.answer = undefined
    // The client keeps the keys while our clock keeps its distance from the system's; that of a test stands still.
    vi.useFakeTimers({ toFake: ['Date'] })
    expect(problemOf(await other.signIn(someone))).toBeNull()
    expect(problemOf(await other.signIn(someone))).toBeNull()
    expect(other.wire.asked.filter(path => path.startsWith('/.well-known'))).toHaveLength(failures.length + 1)
    expect(other.wire.asked.filter(path => path === '/keys')).toHaveLength(1)
  } finally {
    vi.useRealTimers()
    await other.close()
  }
})

test('the log-in page says so if Google is not offered, or was asked too often', async () => {
  const without = await createWeb({ production: true })
  try {
    const reply = await without.app.inject({ url: '/api/auth/google/start' })
    expect([reply.statusCode, reply.headers.location]).toEqual([302, '/login?problem=google_unavailable'])
    expect((await without.app.inject({ url: '/dev/google/keys' })).statusCode).toBe(404)
    const asked = Array.from({ length: 70 }, () => without.app.inject({ url: '/api/auth/google/start' }))
    const last = (await Promise.all(asked)).at(-1)
    expect([last?.statusCode, last?.headers.location]).toEqual([302, '/login?problem=google_busy'])
  } finally {
    await without.close()
  }
})
