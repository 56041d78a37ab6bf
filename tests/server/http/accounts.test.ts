import { SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, linkToken, password, readRefreshCookie } from '#support/web.ts'

const web = keepForFile(await createWeb())

const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
  web.app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })
const me = (token: string) =>
  web.app.inject({ url: '/api/protected/me', headers: { authorization: `Bearer ${token}` } })

test('a new account is confirmed by the mailed link, once', async () => {
  const email = 'ada@example.com'
  const registered = await post('/api/auth/register', { email: '  Ada@Example.com ', password })
  expect([registered.statusCode, registered.json()]).toEqual([202, {}])
  const [mail] = await web.readMails()
  expect(mail).toMatchObject({ to: email, subject: 'Confirm your e-mail for Farline' })

  const early = await post('/api/auth/login', { email, password })
  expect((await me(early.json().token)).json()).toMatchObject({ email_verified: false, credits: 0 })

  const token = linkToken(mail)
  expect((await post('/api/auth/verify-email', { token })).statusCode).toBe(200)
  expect((await me(early.json().token)).json()).toMatchObject({ email_verified: true, can_call: true })
  const again = await post('/api/auth/verify-email', { token })
  expect(again.statusCode).toBe(410)
  expect(again.json()).toMatchObject({ error: { code: 'link_expired' } })
})

test('rejects a confirmation link older than 24 hours', async () => {
  await post('/api/auth/register', { email: 'late@example.com', password })
  const token = linkToken((await web.readMails())[0])
  web.clock.advance(24 * 3600 * 1000 + 1)
  expect((await post('/api/auth/verify-email', { token })).statusCode).toBe(410)
})

test('registering an address twice answers the same and notifies only its owner', async () => {
  await web.signUp('taken@example.com')
  const before = (await web.readMails()).length
  const again = await post('/api/auth/register', { email: 'taken@example.com', password: 'another password' })
  expect([again.statusCode, again.json()]).toEqual([202, {}])
  const mails = await web.readMails()
  expect(mails).toHaveLength(before + 1)
  expect(mails[0]?.subject).toBe('You already have a Farline account')
  const old = await post('/api/auth/login', { email: 'taken@example.com', password })
  expect(old.statusCode).toBe(200)
})

test('the password that counts is the one chosen with the e-mail that was confirmed', async () => {
  const email = 'squatted@example.com'
  await post('/api/auth/register', { email, password: 'the squatters password' })
  const squatter = await post('/api/auth/login', { email, password: 'the squatters password' })
  await post('/api/auth/register', { email, password })
  await post('/api/auth/verify-email', { token: linkToken((await web.readMails())[0]) })
  expect((await post('/api/auth/login', { email, password })).statusCode).toBe(200)
  expect((await post('/api/auth/login', { email, password: 'the squatters password' })).statusCode).toBe(401)
  const cookie = readRefreshCookie(squatter.headers['set-cookie'])
  expect((await post('/api/auth/refresh-token', undefined, { cookie })).statusCode).toBe(401)
})

test('asking for the mail again, where two passwords were chosen, has the owner of the mailbox choose', async () => {
  const email = 'contested@example.com'
  await post('/api/auth/register', { email, password: 'the squatters password' })
  await web.readMails()
  web.clock.advance(1000)
  await post('/api/auth/register', { email, password })
  await web.readMails()
  web.clock.advance(60_000)
  expect((await post('/api/auth/resend-verification', { email })).statusCode).toBe(202)
  const [, token] = /reset-password#token=([\w-]+)/.exec((await web.readMails())[0]?.text ?? '') ?? []
  expect((await post('/api/auth/reset-password', { token, password })).statusCode).toBe(200)
  expect((await post('/api/auth/login', { email, password })).statusCode).toBe(200)
  expect((await post('/api/auth/login', { email, password: 'the squatters password' })).statusCode).toBe(401)
})

test.each([
  [
    { email: 'not an address', password },
    "That isn't an e-mail address yet. It needs an @, like you@example.com.",
    'email',
  ],
  [{ email: 'short@example.com', password: 'short' }, 'Use at least 8 characters.', 'password'],
])('rejects bad input with what to do: %j', async (payload, message, field) => {
  const answer = await post('/api/auth/register', payload)
  expect(answer.statusCode).toBe(400)
  expect(answer.json()).toMatchObject({
    error: { code: 'invalid_request', message },
    errors: [{ message, field }],
  })
})

test('a wrong password and an unknown address get the same answer', async () => {
  await web.signUp('grace@example.com')
  const wrong = await post('/api/auth/login', { email: 'grace@example.com', password: 'not this one' })
  const unknown = await post('/api/auth/login', { email: 'nobody@example.com', password })
  expect(wrong.statusCode).toBe(401)
  expect([unknown.statusCode, unknown.body]).toEqual([wrong.statusCode, wrong.body])
})

test('refreshing rotates the cookie; a second tab within 20 s gets the same one', async () => {
  const { cookie } = await web.signUp('tabs@example.com')
  const first = await post('/api/auth/refresh-token', undefined, { cookie })
  web.clock.advance(19_000)
  const second = await post('/api/auth/refresh-token', undefined, { cookie })
  expect([first.statusCode, second.statusCode]).toEqual([200, 200])
  const successor = readRefreshCookie(first.headers['set-cookie'])
  expect(successor).not.toBe(cookie)
  expect(readRefreshCookie(second.headers['set-cookie'])).toBe(successor)
})

test('a refresh token used again after the grace ends the whole family', async () => {
  const { cookie } = await web.signUp('stolen@example.com')
  const first = await post('/api/auth/refresh-token', undefined, { cookie })
  web.clock.advance(20_001)
  expect((await post('/api/auth/refresh-token', undefined, { cookie })).statusCode).toBe(401)
  const successor = readRefreshCookie(first.headers['set-cookie'])
  expect((await post('/api/auth/refresh-token', undefined, { cookie: successor })).statusCode).toBe(401)
})

test('a session ends after 14 idle days and after 30 days in all', async () => {
  const idle = await web.signUp('idle@example.com')
  web.clock.advance(14 * 24 * 3600 * 1000 + 1)
  expect((await post('/api/auth/refresh-token', undefined, { cookie: idle.cookie })).statusCode).toBe(401)

  let { cookie } = await web.signUp('busy@example.com')
  const days: number[] = []
  for (let day = 10; day <= 40; day += 10) {
    web.clock.advance(10 * 24 * 3600 * 1000 - 1)
    const answer = await post('/api/auth/refresh-token', undefined, { cookie })
    if (answer.statusCode !== 200) break
    cookie = readRefreshCookie(answer.headers['set-cookie'])
    days.push(day)
  }
  expect(days).toEqual([10, 20, 30])
})

test('logging out ends the session and clears the cookie', async () => {
  const { cookie } = await web.signUp('leaver@example.com')
  const out = await post('/api/auth/logout', undefined, { cookie })
  expect(out.statusCode).toBe(204)
  expect(String(out.headers['set-cookie'])).toMatch(/refresh=;.*Expires=Thu, 01 Jan 1970/)
  expect((await post('/api/auth/refresh-token', undefined, { cookie })).statusCode).toBe(401)
})

test('a rejection or a logout without a cookie clears none: a sign-in may just have set it', async () => {
  const [refused, out] = [await post('/api/auth/refresh-token'), await post('/api/auth/logout')]
  expect([refused.statusCode, out.statusCode]).toEqual([401, 204])
  expect([refused.headers['set-cookie'], out.headers['set-cookie']]).toEqual([undefined, undefined])
  const stale = await post('/api/auth/refresh-token', undefined, { cookie: 'refresh=ended-long-ago' })
  expect(String(stale.headers['set-cookie'])).toMatch(/refresh=;.*Expires=Thu, 01 Jan 1970/)
})

test('the cookie is HttpOnly and SameSite; the hint beside it, which pages read, lasts as long and holds nothing', async () => {
  const { headers } = await post('/api/auth/login', { email: 'leaver@example.com', password })
  const [refresh, hint] = [headers['set-cookie']].flat().map(String)
  expect(refresh).toMatch(/^refresh=[\w-]+; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/)
  const expires = /Expires=[^;]+/.exec(refresh ?? '')?.[0]
  expect(hint).toBe(`signed-in=yes; Path=/; ${expires}; SameSite=Strict`)
})

test('the hint goes with the session: at a logout, at a rejection, and with the account; not where it was not sent', async () => {
  const cleared = (answer: { headers: Record<string, unknown> }) =>
    [answer.headers['set-cookie']].flat().map(cookie => String(cookie).split(';')[0])
  const { cookie, token } = await web.signUp('hinted@example.com')
  const both = { cookie: `${cookie}; signed-in=yes` }
  const renewed = await post('/api/auth/refresh-token', undefined, both)
  expect(cleared(renewed)).toEqual([expect.stringMatching(/^refresh=./), 'signed-in=yes'])
  expect(cleared(await post('/api/auth/refresh-token', undefined, { cookie: 'signed-in=yes' }))).toEqual([
    'signed-in=',
  ])
  const next = `${readRefreshCookie(renewed.headers['set-cookie'])}; signed-in=yes`
  const deleted = await post(
    '/api/protected/delete-account',
    { confirm: 'hinted@example.com', password },
    { cookie: next, authorization: `Bearer ${token}` },
  )
  expect([deleted.statusCode, cleared(deleted)]).toEqual([204, ['refresh=', 'signed-in=']])
  const other = await web.signUp('hinted-too@example.com')
  const out = await post('/api/auth/logout', undefined, { cookie: `${other.cookie}; signed-in=yes` })
  expect(cleared(out)).toEqual(['refresh=', 'signed-in='])
  const old = await web.signUp('not-hinted@example.com')
  expect(cleared(await post('/api/auth/logout', undefined, { cookie: old.cookie }))).toEqual(['refresh='])
})

test('an access token lives 15 minutes, and neither a forged one nor one of another kind passes', async () => {
  const { token, userId } = await web.signUp('bearer@example.com')
  const otherKind = (key: Uint8Array, typ: string) =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', typ })
      .setAudience('farline-api')
      .setSubject(userId)
      .setExpirationTime('1h')
      .sign(key)
  const { access, voice } = web.services.keys
  expect((await me(await otherKind(voice, 'at+jwt'))).statusCode).toBe(401)
  expect((await me(await otherKind(access, 'JWT'))).statusCode).toBe(401)
  expect((await me(token)).statusCode).toBe(200)
  expect((await me(`${token.slice(0, -2)}xx`)).statusCode).toBe(401)
  expect((await web.app.inject({ url: '/api/protected/me' })).json()).toMatchObject({
    error: { code: 'unauthorized' },
  })
  web.clock.advance(15 * 60 * 1000 + 1)
  expect((await me(token)).statusCode).toBe(401)
})

test("another site's page cannot use a visitor's cookie", async () => {
  const { cookie } = await web.signUp('target@example.com')
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }]) {
    const answer = await post('/api/auth/refresh-token', undefined, { cookie, ...headers })
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'forbidden_origin'])
  }
})

test('keeps an e-mail that cannot be sent, and tries again', async () => {
  await post('/api/auth/register', { email: 'queued@example.com', password })
  const { runDueJobs } = await import('#server/jobs/run.ts')
  const failures: unknown[] = []
  const tools = {
    db: web.db,
    clock: web.clock,
    mailer: { send: async () => Promise.reject(new Error('the mail server is down')) },
    onFailure: (job: unknown) => failures.push(job),
  }
  await runDueJobs(tools)
  expect(failures).toHaveLength(1)
  expect(await runDueJobs(tools)).toBe(0)
  web.clock.advance(3000)
  expect((await web.readMails())[0]?.to).toBe('queued@example.com')
})

test('gives up an e-mail that cannot be delivered for three days, and keeps nothing of it', async () => {
  const email = 'no-such-box@example.com'
  await post('/api/auth/register', { email, password })
  const { runDueJobs } = await import('#server/jobs/run.ts')
  const gaveUp: boolean[] = []
  let tried = 0
  const tools = {
    db: web.db,
    clock: web.clock,
    mailer: {
      send: async () => {
        tried += 1
        throw new TypeError('no such box')
      },
    },
    onFailure: (job: { gaveUp: boolean }) => gaveUp.push(job.gaveUp),
  }
  const begunMs = web.clock.now().getTime()
  const jobs = () =>
    web.db.query<{ done: boolean; data: string; last_error: string; run_at: Date }>(
      `select done_at is not null as done, data::text as data, last_error, nullif(run_at, 'infinity') as run_at from job
       where kind = 'mail' order by id desc limit 1`,
    )
  for (let [job] = await jobs(); job?.done === false; [job] = await jobs()) {
    expect(job.data).toContain(email)
    web.clock.advance(Math.max(0, job.run_at.getTime() - web.clock.now().getTime()))
    expect(await runDueJobs(tools)).toBe(1)
  }
  const hours = (web.clock.now().getTime() - begunMs) / 3_600_000
  expect(hours).toBeGreaterThan(72)
  expect(hours).toBeLessThan(73)
  expect(gaveUp).toEqual([...Array(tried - 1).fill(false), true])
  expect((await jobs())[0]).toMatchObject({ data: '{}', last_error: 'TypeError' })
  web.clock.advance(7 * 24 * 3600 * 1000)
  expect(await runDueJobs(tools)).toBe(0)
})

test('gives up on a silent mail server before another process may take the e-mail', async () => {
  await post('/api/auth/register', { email: 'hanging@example.com', password })
  const { runDueJobs } = await import('#server/jobs/run.ts')
  const failures: unknown[] = []
  const tools = {
    db: web.db,
    clock: web.clock,
    mailer: { send: () => new Promise<void>(() => {}) },
    onFailure: (_job: unknown, error: unknown) => failures.push((error as Error).name),
    longestWorkMs: 20,
  }
  expect(await runDueJobs(tools)).toBe(1)
  expect(failures).toEqual(['TimeoutError'])
  web.clock.advance(2000)
  expect((await web.readMails())[0]?.to).toBe('hanging@example.com')
})

test('does not send an e-mail again when its cause comes again, and keeps nothing of it', async () => {
  const { enqueue } = await import('#server/jobs/queue.ts')
  const mail = { key: 'once', to: 'once@example.com', subject: 'Once', text: 'Once', html: 'Once' }
  const causes = async () => {
    await enqueue(web.db, { kind: 'mail', mail }, web.clock.now())
    return (await web.readMails()).filter(({ to }) => to === mail.to).length
  }
  expect(await causes()).toBe(1)
  await web.db.query('delete from inbox_mail')
  web.clock.advance(24 * 3600 * 1000)
  expect(await causes()).toBe(0)
  const [job] = await web.db.query("select data::text as data from job where key = 'mail:once'")
  expect(job).toEqual({ data: '{}' })
})
