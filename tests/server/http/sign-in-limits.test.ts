import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { company } from '#lib/company.ts'
import { passwordChangedEmail } from '#server/accounts/password/password-emails.ts'
import { reserveMail } from '#server/accounts/registration/mail-budget.ts'
import { countLogin } from '#server/accounts/sign-in/sign-in-limits.ts'
import { countAttempt } from '#server/limits/attempts.ts'
import { type BudgetKind, type BudgetScope, defaultBudgets } from '#server/limits/budget-policy.ts'
import { sweepCounters } from '#server/limits/counters.ts'
import { type Notice, queueNotice } from '#server/mail/queue-email.ts'
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
const dayMs = 24 * 60 * minuteMs

function maxOf(per: BudgetScope, kind: BudgetKind = 'mail'): number {
  const bound = defaultBudgets[kind].find(one => one.per === per)
  if (bound === undefined || !('maxUses' in bound)) throw new Error('no such bound')
  return bound.maxUses
}

/** As if all others of today's mails had been asked for. */
async function leaveMails(left: number, kind: 'confirmation_mail' | 'reset_mail'): Promise<void> {
  await web.db.query(
    `update budget_counter set used = $1 where kind = $2 and scope = 'everyone' and ends_at > $3`,
    [maxOf('everyone', kind) - left, kind, web.clock.now()],
  )
}

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

/** Mails of the two kinds that anybody can ask for, and the longer of their limits. */
const mailKinds = [
  { url: 'resend-verification', state: 'waiting', longMinutes: 60 },
  { url: 'forgot-password', state: 'confirmed', longMinutes: 30 },
] as const

test.each(mailKinds)(
  'rejects an e-mail requested too soon, with how long to wait, whether or not there is an account: $url',
  async ({ url, state, longMinutes }) => {
    const known = `known-${state}@example.com`
    if (state === 'confirmed') await web.signUp(known)
    else await post('register', { email: known, password })
    web.clock.advance(longMinutes * minuteMs)
    const asked = async (email: string) => {
      const { statusCode, headers, body } = await post(url, { email })
      return { statusCode, retryAfter: headers['retry-after'], body }
    }
    const collected: Record<string, unknown[]> = {}
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
      // Twice: a rejected request does not use up the minute.
      answers.push(await asked(email), await asked(email))
      web.clock.advance(startedMs + longMinutes * minuteMs - web.clock.now().getTime())
      answers.push(await asked(email))
      collected[email] = answers
    }
    expect(collected[known]).toEqual(collected[`unknown-${state}@example.com`])
    const sent = { statusCode: 202, retryAfter: undefined, body: '{}' }
    const message = 'A mail to this address was asked for a short while ago.'
    const refused = (seconds: number, wait: string) => ({
      statusCode: 429,
      retryAfter: String(seconds),
      body: JSON.stringify({
        error: { code: 'too_many_requests', message: `${message} Wait ${wait} and try again.` },
      }),
    })
    const late = refused((longMinutes - 6) * 60 + 1, `${longMinutes - 5} minutes`)
    expect(collected[known]).toEqual([
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

test('a stranger who uses up the resets of an address leaves its owner a link that works', async () => {
  const email = 'flooded@example.com'
  await web.signUp(email)
  const link = async () =>
    /reset-password#token=([\w-]+)/.exec(
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

test('one network requests 30 e-mails an hour', async () => {
  const ask = (time: number) => post('resend-verification', { email: `stranger-${time}@example.com` })
  for (let time = 0; time < 30; time += 1) expect((await ask(time)).statusCode).toBe(202)
  const refused = await ask(31)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
  expect(refused.json().error.message).toMatch(/^Too many mails were asked for from here\. Wait 60 minutes/)
})

test('one mailbox gets ten e-mails an hour, by whichever of its addresses, and whether they have accounts or not', async () => {
  const statusOf = async (nth: number) =>
    (await post('register', { email: `One.Box+${nth}@gmail.com`, password }, `2001:db8:a${nth}::1`))
      .statusCode
  const first = []
  for (let nth = 0; nth < 10; nth += 1) first.push(await statusOf(nth))
  expect(first).toEqual(Array(10).fill(202))
  const refused = await post('register', { email: 'onebox@googlemail.com', password }, '2001:db8:b::1')
  expect([refused.statusCode, refused.json().error.message]).toEqual([
    429,
    'We have sent several mails to this address. Wait 60 minutes and try again.',
  ])
  const reset = async (email: string) =>
    (await post('forgot-password', { email }, '2001:db8:b::1')).statusCode
  expect([await reset('one.box+1@gmail.com'), await reset('one.box@gmail.com')]).toEqual([429, 202])
  expect(
    (await post('register', { email: 'other.box@gmail.com', password }, '2001:db8:b::1')).statusCode,
  ).toBe(202)
})

test('limits the e-mails that one /48 requests in a day, at one moment', async () => {
  const max = maxOf('network')
  const asked = await Promise.all(
    Array.from({ length: max + 20 }, (_, nth) =>
      reserveMail(web.services, {
        kind: 'registration',
        email: `neighbour-${nth}@example.com`,
        address: `2001:db8:48:${nth.toString(16)}::1`,
      }),
    ),
  )
  const refused = asked.filter(spent => spent !== undefined)
  expect(refused).toHaveLength(20)
  expect(new Set(refused.map(({ kind, per }) => `${kind} ${per}`))).toEqual(new Set(['mail network']))
})

test.each([
  { kind: 'confirmation_mail', urls: ['register', 'resend-verification'], last: 'register' },
  { kind: 'reset_mail', urls: ['forgot-password'], last: 'forgot-password' },
] as const)(
  'when the mails of a day are used up every address gets the same answer, nothing is written, and tomorrow it goes on: $kind',
  async ({ kind, urls, last }) => {
    const known = `known-late-${kind}@example.com`
    const unknown = `unknown-late-${kind}@example.com`
    await web.signUp(known)
    await post('forgot-password', { email: `first-${kind}@example.com` })
    web.clock.advance(60 * minuteMs)
    await leaveMails(1, kind)
    expect((await post(last, { email: `last-${kind}@example.com`, password })).statusCode).toBe(202)
    const before = await web.db.query<{ jobs: number }>('select count(*)::int as jobs from job')
    const requests = urls.flatMap(url => [known, unknown].map(email => post(url, { email, password })))
    const answers = (await Promise.all(requests)).map(({ statusCode, headers, body }) => ({
      statusCode,
      body,
      wait: headers['retry-after'],
    }))
    const untilTomorrowMs = dayMs - (web.clock.now().getTime() % dayMs)
    for (const answer of answers) expect(answer).toEqual(answers[0])
    expect(answers[0]).toMatchObject({ statusCode: 429, wait: String(Math.ceil(untilTomorrowMs / 1000)) })
    expect(answers[0]?.body).toContain('We have sent all the mails that we can send in a day. Wait ')
    expect(await web.db.query('select count(*)::int as jobs from job')).toEqual(before)
    expect(await web.db.query('select 1 from app_user where email = $1', [unknown])).toEqual([])
    web.clock.advance(untilTomorrowMs)
    expect((await post(last, { email: unknown, password })).statusCode).toBe(202)
  },
)

test('a flood of registrations for one mailbox keeps its owner from no password reset', async () => {
  const owner = 'flooded@example.com'
  await web.signUp(owner)
  web.clock.advance(60 * minuteMs)
  const flood = await Promise.all(
    Array.from({ length: maxOf('mailbox') + 5 }, (_, nth) =>
      reserveMail(web.services, {
        kind: 'registration',
        email: `flooded+${nth}@example.com`,
        address: `2001:db8:${(0x700 + nth).toString(16)}::1`,
      }),
    ),
  )
  expect(flood.filter(spent => spent?.per === 'mailbox')).not.toEqual([])
  await post('register', { email: 'busy@example.com', password })
  await leaveMails(0, 'confirmation_mail')
  const before = (await web.readMails()).filter(({ to }) => to === owner).length
  expect((await post('forgot-password', { email: owner })).statusCode).toBe(202)
  expect((await web.readMails()).filter(({ to }) => to === owner)).toHaveLength(before + 1)
  web.clock.advance(dayMs)
})

test('an account that moves may cause ten e-mails a day, to any addresses', async () => {
  const { userId } = await web.signUp('mover@example.com')
  const asked = []
  for (let nth = 0; nth < 12; nth += 1) {
    const email = `victim-of-mover-${nth}@example.com`
    asked.push(
      await reserveMail(web.services, { kind: 'change', email, address: `2001:db8:c${nth}::1`, userId }),
    )
  }
  expect(asked.slice(0, 10)).toEqual(Array(10).fill(undefined))
  expect(asked.slice(10).map(spent => spent?.per)).toEqual(['account', 'account'])
})

/** Tells an owner so many times. @returns how many of them are mailed */
async function notify(email: string, userId: string, kind: Notice['kind'], count: number): Promise<number> {
  const template = passwordChangedEmail(web.services.publicUrl, 'changed')
  const queued = async () =>
    (await web.db.query('select 1 from job where key like $1', [`mail:${kind}:%`])).length
  const before = await queued()
  for (let nth = 0; nth < count; nth += 1) {
    const name = web.services.random.uuid()
    await web.db.transaction(tx => queueNotice(tx, web.services, { kind, userId, to: email, name, template }))
  }
  return (await queued()) - before
}

test('notices to one owner are twenty of a kind a day, however often they sign in', async () => {
  const email = 'often@example.com'
  const { userId } = await web.signUp(email)
  expect(await notify(email, userId, 'new-sign-in', 23)).toBe(20)
  // Each kind of notice is sent independently of the others.
  expect(await notify(email, userId, 'password-changed', 1)).toBe(1)
})

test('notices to one mailbox are thirty of a kind a day, whichever of its accounts they are about', async () => {
  const collected: number[] = []
  for (const email of ['two.boxes@gmail.com', 'twoboxes+2@gmail.com', 'two.boxes+3@googlemail.com']) {
    const { userId } = await web.signUp(email)
    collected.push(await notify(email, userId, 'new-sign-in', 20))
  }
  expect(collected).toEqual([20, 10, 0])
})

test('strangers who use up the notices of a day keep no owner from their first three of each kind', async () => {
  const email = 'first-notices@example.com'
  const { userId } = await web.signUp(email)
  await notify(email, userId, 'replay', 1)
  await web.db.query(
    `update budget_counter set used = max_used where kind = 'notice_mail' and scope = 'everyone' and ends_at > $1`,
    [web.clock.now()],
  )
  expect(await notify(email, userId, 'new-sign-in', 5)).toBe(3)
  expect(await notify(email, userId, 'password-changed', 5)).toBe(3)
  web.clock.advance(dayMs)
})

test('an unconfirmed address gets no notices, whatever is done with its account', async () => {
  const email = 'stranger+7@example.com'
  await post('register', { email, password })
  const logInWith = (userAgent: string, typed = password) =>
    web.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: typed },
      headers: { 'user-agent': userAgent },
      remoteAddress: home,
    })
  const subjects = async () =>
    (await web.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject)
  const browsers = ['Chrome/130.0', 'Firefox/131.0'].map(name => `Mozilla/5.0 (X11; Linux x86_64) ${name}`)
  await logInWith(browsers[0] ?? '')
  const second = await logInWith(browsers[1] ?? '')
  expect(second.statusCode).toBe(200)
  const next = 'another battery staple'
  const changed = await web.app.inject({
    method: 'POST',
    url: '/api/protected/profile/password',
    payload: { current: password, next },
    headers: { authorization: `Bearer ${second.json().token}` },
    remoteAddress: home,
  })
  expect(changed.statusCode).toBe(204)
  expect(await subjects()).toEqual(['Confirm your e-mail for Farline'])
  await web.db.query('update app_user set email_verified_at = $2 where email = $1', [email, web.clock.now()])
  const third = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/131.0'
  expect((await logInWith(third, next)).statusCode).toBe(200)
  expect((await subjects())[0]).toBe('New sign-in to your Farline account')
})

test("rejects a message to support above the day's limit with another way, and counts one sent twice once", async () => {
  const send = (formId: string, remoteAddress = home) =>
    web.app.inject({
      method: 'POST',
      url: '/api/support',
      remoteAddress,
      payload: {
        formId,
        name: 'A',
        email: 'a@example.com',
        about: 'other',
        message: 'Hello there, all of you.',
      },
    })
  const formId = (nth: number) => nth.toString(16).padStart(32, '0')
  const first = await send(formId(1))
  expect(first.statusCode).toBe(202)
  await web.db.query(
    `update budget_counter set used = max_used where kind = 'support_mail' and scope = 'everyone'`,
  )
  const refused = await send(formId(2))
  expect(refused.statusCode).toBe(429)
  expect(refused.json().error.message).toContain(`You can write to ${company.supportEmail} now.`)
  expect((await send(formId(1))).json()).toEqual(first.json())
  expect(await web.db.query('select 1 from support_message')).toHaveLength(1)
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
    'That password is easy to guess. Choose another, such as four words that do not belong together.'
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
