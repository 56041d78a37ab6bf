import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openApp } from '#support/app.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password, readRefreshCookie, type Web } from '#support/web.ts'

/** REL-16, REL-18, and the sessions of REL-50 and REL-51. */

const minuteMs = 60_000
const web = keepForFile(await createWeb())

type App = Pick<Web['app'], 'inject'>
const renew = (cookie: string, app: App = web.app) =>
  app.inject({ method: 'POST', url: '/api/auth/refresh-token', headers: { cookie } })
const me = (token: string, app: App = web.app) =>
  app.inject({ url: '/api/protected/me', headers: { authorization: `Bearer ${token}` } })
const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  readRefreshCookie(answer.headers['set-cookie'] as string)

test('two tabs that refresh at the same moment stay signed in, 100 times', async () => {
  let { cookie } = await web.signUp('two-tabs@example.com')
  for (let time = 0; time < 100; time += 1) {
    web.clock.advance(14 * minuteMs)
    const [here, there] = await Promise.all([renew(cookie), renew(cookie)])
    expect([time, here.statusCode, there.statusCode]).toEqual([time, 200, 200])
    expect(cookieOf(there)).toBe(cookieOf(here))
    cookie = cookieOf(here)
  }
  expect((await me((await renew(cookie)).json().token)).statusCode).toBe(200)
})

test('a late answer to one tab gives the browser the newer token of another tab', async () => {
  const { cookie: first } = await web.signUp('late-answer@example.com')
  const third = cookieOf(await renew(cookieOf(await renew(first))))
  web.clock.advance(19_000)
  expect(cookieOf(await renew(first))).toBe(third)
  web.clock.advance(14 * minuteMs)
  expect((await renew(third)).statusCode).toBe(200)
})

test('behind TLS the cookie is `__Host-`, Secure and for the whole site alone', async () => {
  const secure = await openApp({
    config: { production: true },
    services: { ...web.services, publicUrl: 'https://farline.example' },
  })
  try {
    await web.signUp('tls@example.com')
    const login = await secure.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: 'tls@example.com', password },
    })
    const [set = ''] = [login.headers['set-cookie']].flat()
    expect(set).toMatch(
      /^__Host-refresh=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    )
    const cookie = set.split(';')[0] ?? ''
    expect((await renew(cookie, secure)).statusCode).toBe(200)
    expect((await renew(cookie.replace('__Host-', ''), secure)).statusCode).toBe(401)
  } finally {
    await secure.close()
  }
})

test('the database stores no refresh token in clear', async () => {
  const { cookie } = await web.signUp('hashed@example.com')
  const token = cookie.split('=')[1] ?? 'no token'
  const rows = await web.db.query<{ row: string }>(
    `select row_to_json(refresh_token)::text as row from refresh_token
     union all select row_to_json(session)::text from session`,
  )
  expect(rows.length).toBeGreaterThan(1)
  for (const { row } of rows) {
    expect(row).not.toContain(token)
    expect(row).not.toContain(Buffer.from(token).toString('hex'))
    expect(row).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  }
})

/** The server whose clock is set; what the tests wait for passes on both. */
let stepped: App & { close(): Promise<void> }
let offsetMs = 0
beforeAll(async () => {
  const clock = {
    now: () => new Date(web.clock.now().getTime() + offsetMs),
    monotonicMs: () => web.clock.monotonicMs(),
  }
  stepped = await openApp({
    services: { ...web.services, clock },
  })
})
afterAll(() => stepped.close())
beforeEach(() => {
  offsetMs = 0
})

for (const [name, step] of [
  ['ahead', 10 * minuteMs],
  ['behind', -10 * minuteMs],
] as const) {
  test(`a server whose clock is 10 minutes ${name} accepts the others’ tokens, and they accept its own`, async () => {
    const { token, cookie } = await web.signUp(`clock-${name}@example.com`)
    offsetMs = step
    expect((await me(token, stepped)).statusCode).toBe(200)
    const own = await renew(cookie, stepped)
    expect(own.statusCode).toBe(200)
    const { token: ownToken } = own.json()
    expect((await me(ownToken)).statusCode).toBe(200)
    expect((await me(ownToken, stepped)).statusCode).toBe(200)
    web.clock.advance(14 * minuteMs)
    const back = await renew(cookieOf(own))
    expect([back.statusCode, (await renew(cookieOf(back), stepped)).statusCode]).toEqual([200, 200])
  })

  test(`a clock that is set ${name} by 10 minutes lengthens neither the grace nor the session`, async () => {
    const { cookie } = await web.signUp(`grace-${name}@example.com`)
    await renew(cookie)
    web.clock.advance(21_000)
    offsetMs = step
    expect((await renew(cookie, stepped)).statusCode).toBe(401)
    const idle = await web.signUp(`idle-${name}@example.com`)
    web.clock.advance(14 * 24 * 60 * minuteMs + 11 * minuteMs)
    expect((await renew(idle.cookie, stepped)).statusCode).toBe(401)
  })
}

test('tokens that are forged stay forged, whatever the clock says', async () => {
  const { token } = await web.signUp('forged@example.com')
  for (const step of [10 * minuteMs, -10 * minuteMs]) {
    offsetMs = step
    expect((await me(`${token.slice(0, -2)}xx`, stepped)).statusCode).toBe(401)
    expect((await me(token, stepped)).statusCode).toBe(200)
  }
  offsetMs = 15 * minuteMs + 1
  expect((await me(token, stepped)).statusCode).toBe(401)
})
