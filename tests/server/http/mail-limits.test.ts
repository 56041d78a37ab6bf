import { beforeEach, expect, test } from 'vitest'
import { company } from '#lib/company.ts'
import { reserveMail } from '#server/accounts/registration/mail-budget.ts'
import { type BudgetKind, type BudgetScope, defaultBudgets } from '#server/limits/budget-policy.ts'
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
    const message = 'Somebody asked for an e-mail to this address a short while ago.'
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
      "We've sent several e-mails to this address. Wait 60 minutes and try again.",
    )
  },
)

test('one network requests 30 e-mails an hour', async () => {
  const ask = (time: number) => post('resend-verification', { email: `stranger-${time}@example.com` })
  for (let time = 0; time < 30; time += 1) expect((await ask(time)).statusCode).toBe(202)
  const refused = await ask(31)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600'])
  expect(refused.json().error.message).toMatch(/^Too many e-mails were requested from here\. Wait 60 minutes/)
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
    "We've sent several e-mails to this address. Wait 60 minutes and try again.",
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
    expect(answers[0]?.body).toContain("We've sent all the e-mails we can send in a day. Wait ")
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
