import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { takeLogin } from '#server/services/sign-in-limits.ts'
import { sweepThrottles, take } from '#server/services/throttle.ts'
import { createWeb, password, type Web } from '#support/web.ts'

let web: Web
beforeAll(async () => {
  web = await createWeb()
})
afterAll(() => web.close())
let addresses = 0
/** Each test comes from a network of its own. */
let home: string
beforeEach(() => {
  addresses += 1
  home = `203.0.113.${addresses}`
})

const minuteMs = 60_000
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

test('a right password begins the count anew, and one account takes nothing from another', async () => {
  await web.signUp('careless@example.com')
  for (let round = 0; round < 2; round += 1) {
    for (let time = 0; time < 9; time += 1) await takeLogin(web.services, 'careless@example.com', home)
    expect((await logIn('careless@example.com')).statusCode).toBe(200)
  }
  for (let time = 0; time < 11; time += 1) await takeLogin(web.services, 'somebody-else@example.com', home)
  expect((await logIn('somebody-else@example.com')).statusCode).toBe(429)
  expect((await logIn('careless@example.com')).statusCode).toBe(200)
})

test('guesses sent at once are no more than guesses one after the other', async () => {
  await web.signUp('at-once@example.com')
  const answers = await statuses(
    Array.from({ length: 15 }, (_, time) =>
      logIn('at-once@example.com', `guess ${time}`, `198.51.100.${time}`),
    ),
  )
  expect(answers).toEqual([...Array(10).fill(401), ...Array(5).fill(429)])
})

test('one network may fail 50 times, whomever it tries; the next one may go on, and its /64 counts as one', async () => {
  const network = (host: number) => `2001:db8:0:${addresses}::${host.toString(16)}`
  for (let time = 1; time < 50; time += 1) {
    expect(await takeLogin(web.services, `victim-${time}@example.com`, network(time))).toBe(0)
  }
  const tried = async (from: string) => (await logIn('victim@example.com', 'a wrong one', from)).statusCode
  expect([await tried(network(50)), await tried(network(51)), await tried(home)]).toEqual([401, 429, 401])
  web.clock.advance(15 * minuteMs)
  expect(await tried(network(1))).toBe(401)
})

test('whoever logs in as themselves takes nothing from their network', async () => {
  await web.signUp('regular@example.com')
  for (let time = 1; time < 50; time += 1) await takeLogin(web.services, `victim-${time}@example.com`, home)
  for (let time = 0; time < 3; time += 1) expect((await logIn('regular@example.com')).statusCode).toBe(200)
  expect((await logIn('regular@example.com', 'a wrong one')).statusCode).toBe(401)
  expect((await logIn('regular@example.com')).statusCode).toBe(429)
})

/** Mails of the two kinds that anybody can ask for, and the longer of their limits. */
const mailKinds = [
  { url: 'resend-verification', state: 'waiting', longMinutes: 60 },
  { url: 'forgot-password', state: 'confirmed', longMinutes: 30 },
] as const

test.each(mailKinds)(
  'a mail asked for too soon is refused, with how long to wait, whether or not there is an account: $url',
  async ({ url, state, longMinutes }) => {
    const known = `known-${state}@example.com`
    if (state === 'confirmed') await web.signUp(known)
    else await post('register', { email: known, password })
    web.clock.advance(longMinutes * minuteMs)
    const asked = async (email: string) => {
      const { statusCode, headers, body } = await post(url, { email })
      return { statusCode, retryAfter: headers['retry-after'], body }
    }
    const told: Record<string, unknown[]> = {}
    const mails = async () => (await web.readMails()).filter(({ to }) => to === known).length
    const before = await mails()
    for (const email of [known, `unknown-${state}@example.com`]) {
      const startedMs = web.clock.now().getTime()
      const answers = [await asked(email), await asked(email)]
      web.clock.advance(minuteMs - 1)
      answers.push(await asked(email))
      for (let time = 1; time < 5; time += 1) {
        web.clock.advance(minuteMs)
        answers.push(await asked(email))
      }
      web.clock.advance(minuteMs)
      // Twice: what was refused takes no minute of its own.
      answers.push(await asked(email), await asked(email))
      web.clock.advance(startedMs + longMinutes * minuteMs - web.clock.now().getTime())
      answers.push(await asked(email))
      told[email] = answers
    }
    expect(told[known]).toEqual(told[`unknown-${state}@example.com`])
    const sent = { statusCode: 202, retryAfter: undefined, body: '{}' }
    const message = 'A mail to this address was asked for a short while ago.'
    const refused = (seconds: number, words: string) => ({
      statusCode: 429,
      retryAfter: String(seconds),
      body: JSON.stringify({
        error: { code: 'too_many_requests', message: `${message} Wait ${words} and try again.` },
      }),
    })
    const late = refused((longMinutes - 6) * 60 + 1, `${longMinutes - 5} minutes`)
    expect(told[known]).toEqual([
      sent,
      refused(60, 'a minute'),
      refused(1, 'a minute'),
      ...Array(4).fill(sent),
      late,
      late,
      sent,
    ])
    expect(await mails()).toBe(before + 6)
  },
)

test('somebody who uses up the resets of an address leaves its owner a link that works', async () => {
  const email = 'flooded@example.com'
  await web.signUp(email)
  const link = async () =>
    /reset-password\/([\w-]+)/.exec(
      (await web.readMails()).find(({ to }) => to === email)?.text ?? '',
    )?.[1] ?? ''
  for (let minute = 0; minute < 70; minute += 1) {
    const from = `198.51.100.${minute}`
    await post('forgot-password', { email }, from)
    const checked = await post('reset-password/check', { token: await link() }, from)
    expect([minute, checked.statusCode]).toEqual([minute, 200])
    web.clock.advance(minuteMs)
  }
})

test.each(['free', 'taken'])(
  'an address is registered 5 times an hour, then told to wait: %s',
  async which => {
    const email = `registered-${which}@example.com`
    if (which === 'taken') {
      await web.signUp(email)
      web.clock.advance(60 * minuteMs)
    }
    for (let time = 0; time < 5; time += 1) {
      expect((await post('register', { email, password: `${password} ${time}` })).statusCode).toBe(202)
    }
    const refused = await post('register', { email, password })
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
    expect(refused.json().error.message).toBe(
      'We have sent several mails to this address. Wait 60 minutes and try again.',
    )
  },
)

test('one network asks for 30 mails an hour', async () => {
  const ask = (time: number) => post('resend-verification', { email: `stranger-${time}@example.com` })
  for (let time = 0; time < 30; time += 1) expect((await ask(time)).statusCode).toBe(202)
  const refused = await ask(31)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
  expect(refused.json().error.message).toMatch(/^Too many mails were asked for from here\. Wait 60 minutes/)
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

test('a common password is refused before anything is done with it', async () => {
  const email = 'common@example.com'
  const refused = await post('register', { email, password: 'PassWord1' })
  expect(refused.statusCode).toBe(400)
  const message = 'That password is among the most common ones. Choose another.'
  expect(refused.json()).toEqual({
    error: { code: 'invalid_request', message },
    errors: [{ field: 'password', message }],
  })
  expect((await post('register', { email, password: 'Common@Example.com' })).statusCode).toBe(400)
  expect(await web.db.query('select 1 from app_user where email = $1', [email])).toEqual([])
})

test('a clock that is set back makes nobody wait longer than the window, and what ended is forgotten', async () => {
  const bucket = { name: 'test', subject: 'somebody', limit: { most: 1, windowSeconds: 60 } }
  const at = (ms: number) => ({
    ...web.services,
    clock: { ...web.clock, now: () => new Date(web.clock.now().getTime() + ms) },
  })
  expect(await take(at(10 * minuteMs), bucket)).toBe(0)
  expect(await take(at(0), bucket)).toBe(minuteMs)
  expect(await take(at(minuteMs), bucket)).toBe(0)
  await sweepThrottles(at(90 * minuteMs))
  expect(await web.db.query('select 1 from throttle')).toEqual([])
})
