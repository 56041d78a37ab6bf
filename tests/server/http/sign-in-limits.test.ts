import { beforeEach, expect, test } from 'vitest'
import { countLogin } from '#server/accounts/sign-in/sign-in-limits.ts'
import { countAttempt } from '#server/limits/attempts.ts'
import { sweepCounters } from '#server/limits/counters.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'

const web = keepForFile(await createWeb())
let addresses = 0
/** Each test comes from a network of its own. */
let home: string
beforeEach(() => {
  addresses += 1
  home = `203.0.113.${addresses}`
})

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

const post = (url: string, payload: object, remoteAddress = home) =>
  web.app.inject({ method: 'POST', url: `/api/auth/${url}`, payload, remoteAddress })
const logIn = (email: string, typed = password, from = home) =>
  post('login', { email, password: typed }, from)
const statuses = async (answers: Promise<{ statusCode: number }>[]) =>
  (await Promise.all(answers)).map(({ statusCode }) => statusCode).sort()

async function failTenTimes(email: string): Promise<void> {
  for (let time = 0; time < 10; time += 1) expect((await logIn(email, 'a wrong one')).statusCode).toBe(401)
}

test.each(['known', 'unknown'])(
  'after 10 failed log-ins of an account nobody may try for 15 minutes, whether it exists or not: %s',
  async which => {
    const email = `guessed-${which}@example.com`
    if (which === 'known') await web.signUp(email)
    await failTenTimes(email)
    web.clock.advance(3 * minuteMs)
    for (const typed of [password, 'a wrong one']) {
      const refused = await logIn(email.toUpperCase(), typed)
      expect(refused.statusCode).toBe(429)
      expect(refused.headers['retry-after']).toBe(String(12 * 60))
      expect(refused.json().error).toEqual({
        code: 'too_many_requests',
        message: 'Too many attempts to log in failed. Wait 12 minutes and try again.',
      })
    }
    expect((await logIn(email, password, '198.51.100.9')).statusCode).toBe(429)
    web.clock.advance(12 * minuteMs)
    expect((await logIn(email)).statusCode).toBe(which === 'known' ? 200 : 401)
  },
)

test('a right password restarts the count, and accounts are counted separately', async () => {
  await web.signUp('careless@example.com')
  for (let round = 0; round < 2; round += 1) {
    for (let time = 0; time < 9; time += 1) await countLogin(web.services, 'careless@example.com', home)
    expect((await logIn('careless@example.com')).statusCode).toBe(200)
  }
  for (let time = 0; time < 11; time += 1) await countLogin(web.services, 'somebody-else@example.com', home)
  expect((await logIn('somebody-else@example.com')).statusCode).toBe(429)
  expect((await logIn('careless@example.com')).statusCode).toBe(200)
})

test('simultaneous guesses are limited like guesses one after the other', async () => {
  await web.signUp('at-once@example.com')
  const answers = await statuses(
    Array.from({ length: 15 }, (_, time) =>
      logIn('at-once@example.com', `guess ${time}`, `198.51.100.${time}`),
    ),
  )
  expect(answers).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
})

test('one network may fail 50 times, for any accounts; the next network may continue, and a /64 counts as one', async () => {
  const network = (host: number) => `2001:db8:0:${addresses}::${host.toString(16)}`
  for (let time = 1; time < 50; time += 1) {
    expect(await countLogin(web.services, `victim-${time}@example.com`, network(time))).toBe(0)
  }
  const tried = async (from: string) => (await logIn('victim@example.com', 'a wrong one', from)).statusCode
  expect([await tried(network(50)), await tried(network(51)), await tried(home)]).toEqual([401, 429, 401])
  web.clock.advance(15 * minuteMs)
  expect(await tried(network(1))).toBe(401)
})

/** What a browser keeps of a sign-in that names it, and nothing that signs anybody in. */
const knownBy = (answer: Awaited<ReturnType<typeof logIn>>) => {
  const { name, value } = answer.cookies.find(cookie => cookie.name === 'known-device') ?? {}
  expect(value).toBeDefined()
  return `${name}=${value}`
}
const logInKnown = (cookie: string, email: string, typed = password, remoteAddress = home) =>
  web.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    payload: { email, password: typed },
    headers: { cookie },
    remoteAddress,
  })

test('whoever guesses elsewhere does not keep an owner out of the browser that they know', async () => {
  const email = 'besieged@example.com'
  await web.signUp(email)
  const cookie = knownBy(await logIn(email))
  await failTenTimes(email)
  expect((await logIn(email)).statusCode).toBe(429)
  const back = await logInKnown(cookie, email)
  expect(back.statusCode).toBe(200)
  // The guesses count on all the same.
  expect((await logIn(email)).statusCode).toBe(429)
  for (let time = 0; time < 60; time += 1) await countLogin(web.services, `other-${time}@example.com`, home)
  expect((await logInKnown(knownBy(back), email)).statusCode).toBe(200)
})

test('a known browser has five guesses of its own, for its own accounts alone', async () => {
  const [email, other] = ['lent@example.com', 'lender@example.com']
  await web.signUp(email)
  await web.signUp(other)
  const cookie = knownBy(await logIn(email))
  for (let time = 0; time < 5; time += 1)
    expect((await logInKnown(cookie, email, 'a wrong one')).statusCode).toBe(401)
  expect((await logInKnown(cookie, email)).statusCode).toBe(429)
  // Whoever is nowhere known has not guessed yet.
  expect((await logIn(email)).statusCode).toBe(200)
  await failTenTimes(other)
  expect((await logInKnown(cookie, other)).statusCode).toBe(429)
  web.clock.advance(15 * minuteMs)
  expect((await logInKnown(cookie, email)).statusCode).toBe(200)
})

test('a browser is not known by a name of its own making, or one from another secret, or an old one', async () => {
  const email = 'pretended@example.com'
  await web.signUp(email)
  const cookie = knownBy(await logIn(email))
  await failTenTimes(email)
  const [head = '', body = ''] = cookie.split('.')
  for (const forged of ['known-device=x', `${head}.${body}.${'A'.repeat(43)}`])
    expect((await logInKnown(forged, email)).statusCode).toBe(429)
  web.clock.advance(180 * dayMs)
  await failTenTimes(email)
  expect((await logInKnown(cookie, email)).statusCode).toBe(429)
})

test('a browser is known to the five accounts that signed in last', async () => {
  const emails = Array.from({ length: 6 }, (_, nth) => `shared-${nth}@example.com`)
  let cookie = ''
  for (const email of emails) {
    await web.signUp(email)
    cookie = knownBy(await logInKnown(cookie, email))
  }
  const statusOf = async (email = '') => {
    await failTenTimes(email)
    return (await logInKnown(cookie, email)).statusCode
  }
  expect([await statusOf(emails[0]), await statusOf(emails[1])]).toEqual([429, 200])
})

test('a successful log-in does not count against the network', async () => {
  await web.signUp('regular@example.com')
  for (let time = 1; time < 50; time += 1) await countLogin(web.services, `victim-${time}@example.com`, home)
  for (let time = 0; time < 3; time += 1) expect((await logIn('regular@example.com')).statusCode).toBe(200)
  expect((await logIn('regular@example.com', 'a wrong one')).statusCode).toBe(401)
  expect((await logIn('regular@example.com')).statusCode).toBe(429)
})

test('the limit of requests says how long to wait as well', async () => {
  const tries = () => post('verify-email', { token: 'no such token' })
  for (let time = 0; time < 60; time += 1) expect((await tries()).statusCode).toBe(410)
  const { statusCode, headers, body } = await tries()
  expect(statusCode).toBe(429)
  expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(60)
  expect(body).toContain('That was too much at once. Wait a minute and try again.')
})

test('rejects a common password before anything is done with it', async () => {
  const email = 'common@example.com'
  const refused = await post('register', { email, password: 'PassWord1' })
  expect(refused.statusCode).toBe(400)
  const message =
    "That password is easy to guess. Choose another, such as four words that don't belong together."
  expect(refused.json()).toEqual({
    error: { code: 'invalid_request', message },
    errors: [{ field: 'password', message }],
  })
  expect((await post('register', { email, password: 'Common@Example.com' })).statusCode).toBe(400)
  expect(await web.db.query('select 1 from app_user where email = $1', [email])).toEqual([])
})

test('a clock that is set back makes nobody wait longer than the window, and expired counts are forgotten', async () => {
  const once = { kind: 'login', scope: 'account', subject: 'somebody', max: 1, windowSeconds: 60 } as const
  const at = (ms: number) => ({
    ...web.services,
    clock: { ...web.clock, now: () => new Date(web.clock.now().getTime() + ms) },
  })
  expect(await countAttempt(at(10 * minuteMs), once)).toBe(0)
  expect(await countAttempt(at(0), once)).toBe(minuteMs)
  expect(await countAttempt(at(minuteMs), once)).toBe(0)
  await sweepCounters(web.db, at(48 * 60 * minuteMs).clock.now())
  expect(await web.db.query('select 1 from budget_counter')).toEqual([])
})
