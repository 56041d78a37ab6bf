import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { usdToMicroUsd } from '#lib/money/money.ts'
import {
  clearDeletedAccounts,
  firstClearingMs,
  giveUpLateCredits,
  lastClearingMs,
} from '#server/accounts/retention/clear-deleted.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { refundGraceMs } from '#server/payments/refunds/refund-rows.ts'
import { releasePayment } from '#server/payments/release.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb, linkToken, password, type Web } from '#support/web.ts'
import { deliver, order, passRefundWindow } from '../payments/buyer.ts'

let web: Web
beforeAll(async () => {
  web = await createWeb()
})
afterEach(async () => {
  web.provider.away = 'no'
  expect(await findBreaches(web.db)).toEqual([])
})
afterAll(async () => {
  await web.close()
})

let people = 0
async function newPerson() {
  people += 1
  const email = `leaver-${people}@example.com`
  const { token, cookie, userId } = await web.signUp(email)
  const ask = (method: 'GET' | 'POST', url: string, payload?: object) =>
    web.app.inject({
      method,
      url,
      headers: { authorization: `Bearer ${token}` },
      ...(payload !== undefined && { payload }),
    })
  return {
    email,
    userId,
    cookie,
    ask,
    leave: (body: object = {}) =>
      ask('POST', '/api/protected/delete-account', { confirm: email, password, ...body }),
    buy: async (usd: number, savesCard = false) => {
      const bought = await order(web, userId, usd, savesCard)
      expect(await deliver(web, bought.paid())).toEqual({ ok: true, value: undefined })
      return bought
    },
  }
}

const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
  web.app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })

async function countOf(sql: string, userId: string): Promise<number> {
  const [row] = await web.db.query<{ n: number }>(`select count(*)::int as n from ${sql}`, [userId])
  return row?.n ?? 0
}

const mailsTo = async (email: string) => (await web.readMails()).filter(({ to }) => to === email)

async function givenUp(userId: string): Promise<number[]> {
  const rows = await web.db.query<{ amount: number }>(
    `select amount from transfer where key like 'given_up:' || $1 || '%' order by id`,
    [userId],
  )
  return rows.map(({ amount }) => amount)
}

/** Each table that names a user, and what becomes of their rows. A new one has to be decided about. */
const removed = [
  'authenticator_app',
  'caller_id',
  'caller_origin',
  'contact',
  'data_export',
  'email_change',
  'email_confirmation',
  'google_identity',
  'passkey',
  'password_reset',
  'recovery_code',
  'refresh_token',
  'saved_card',
  'session',
  'sign_in_step',
  'spending_limit',
]
const kept = [
  'account', // the ledger
  'call', // dropped by the worker of retention, and the two sums with it
  'call_credit', // goes with its call
  'call_sum_by_day',
  'call_sum_by_number',
  'card_payer', // 30 days, for the limit on accounts that pay with one card
  'feedback', // the score alone
  'payment', // what the law asks for
  'verification_call', // a day, for the limits
]

/** The first clearing of whoever has deleted an account just now. */
async function clearLater(): Promise<void> {
  web.clock.advance(firstClearingMs)
  await clearDeletedAccounts(web.services)
}

test('deleting an account removes what was its owner’s alone and keeps the ledger without a name', async () => {
  const person = await newPerson()
  const { userId, email } = person
  const bought = await person.buy(50, true)
  const { db, clock } = web
  await post('/api/auth/forgot-password', { email })
  await person.ask('POST', '/api/protected/profile/name', { name: 'Ada Lovelace' })
  await person.ask('POST', '/api/protected/profile/email', { email: 'new-place@example.com', password })
  await person.ask('POST', '/api/contacts', {
    name: 'Grandmother',
    phone_number: '+12125550100',
    dial_code: '+1',
    iso_code: 'US',
  })
  await person.ask('POST', '/api/protected/spending/locked', { lock: ['IN'], unlock: [] })
  await person.ask('GET', '/api/protected/export')
  await person.ask('GET', '/api/token')
  await person.ask('GET', '/api/referrals')
  await db.query(`insert into caller_id values ($1, '+12125550199', $2)`, [userId, clock.now()])
  await db.query(
    `insert into google_identity (issuer, subject, user_id, email, created_at) values ('https://g.example', 'subject', $1, $2, $3)`,
    [userId, email, clock.now()],
  )
  await db.query(
    `insert into passkey (id, user_id, credential_id, public_key, sign_count, transports, name, created_at)
     values (gen_random_uuid(), $1, 'abc', 'key', 0, '{}', 'Laptop', $2)`,
    [userId, clock.now()],
  )
  await db.query(`insert into authenticator_app (user_id, secret, confirmed_at) values ($1, 'secret', $2)`, [
    userId,
    clock.now(),
  ])
  await db.query(`insert into recovery_code (hash, user_id, created_at) values (sha256('code'), $1, $2)`, [
    userId,
    clock.now(),
  ])
  await db.query(
    `insert into sign_in_step (hash, kind, user_id, expires_at) values (sha256('step'), 'second_factor', $1, $2)`,
    [userId, clock.now()],
  )
  const call = await connectCall(web.control, userId, '+12125550100')
  await call.end(61_000)
  await person.ask('POST', '/api/feedback', {
    score: 2,
    comment: 'My aunt sounded far away',
    callId: call.callId,
  })

  const tables = await db.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = 'public' and column_name = 'user_id' order by 1`,
  )
  expect(tables.map(({ name }) => name)).toEqual([...removed, ...kept].sort())
  for (const table of removed) {
    expect([table, await countOf(`${table} where user_id = $1`, userId)]).not.toEqual([table, 0])
  }

  const [before] = await db.query<{ balance: number }>('select balance from account where user_id = $1', [
    userId,
  ])
  expect((await person.leave()).statusCode).toBe(204)

  for (const table of removed) {
    expect([table, await countOf(`${table} where user_id = $1`, userId)]).toEqual([table, 0])
  }
  const [left] = await db.query<Record<string, unknown>>(
    `select email, name, password_hash, referral_code, can_call, auto_topup_enabled, has_saved_payment_method, balance
     from app_user join account on user_id = app_user.id where app_user.id = $1`,
    [userId],
  )
  expect(left).toEqual({
    email: `deleted-${userId}@invalid`,
    name: null,
    password_hash: null,
    referral_code: null,
    can_call: false,
    auto_topup_enabled: false,
    has_saved_payment_method: false,
    balance: 0,
  })
  expect(await givenUp(userId)).toEqual([before?.balance])
  const [said] = await db.query('select score, comment from feedback where user_id = $1', [userId])
  expect(said).toEqual({ score: 2, comment: null })
  const [payment] = await db.query(
    'select card_last4, card_fingerprint, receipt is not null as numbered from payment where id = $1',
    [bought.id],
  )
  expect(payment).toEqual({ card_last4: '4242', card_fingerprint: null, numbered: true })

  const mail = (await mailsTo(email)).find(({ subject }) => subject === 'Your Farline account is deleted')
  expect(mail?.text).toContain('$52.00 of credits were on your balance and are given up')
  expect(web.provider.forgotten).toContain(`pm_${bought.id}`)
})

test('a deleted account is unknown: for log-in, refresh, a password reset, and a page that is still open', async () => {
  const person = await newPerson()
  await post('/api/auth/forgot-password', { email: person.email })
  const [reset] = await mailsTo(person.email)
  const resetToken = /reset-password#token=([\w-]+)/.exec(reset?.text ?? '')?.[1] ?? ''
  expect(resetToken).not.toBe('')
  await person.leave()
  const before = (await mailsTo(person.email)).length
  web.clock.advance(60_000)
  const login = await post('/api/auth/login', { email: person.email, password })
  expect([login.statusCode, login.json().error.code]).toEqual([401, 'wrong_credentials'])
  expect((await post('/api/auth/refresh-token', undefined, { cookie: person.cookie })).statusCode).toBe(401)
  expect((await post('/api/auth/forgot-password', { email: person.email })).statusCode).toBe(202)
  expect(await mailsTo(person.email)).toHaveLength(before)
  const again = await post('/api/auth/reset-password', { token: resetToken, password: 'another good one' })
  expect(again.statusCode).toBe(410)
  for (const url of ['/api/protected/me', '/api/contacts', '/api/calls', '/api/protected/export']) {
    expect([url, (await person.ask('GET', url)).statusCode]).toEqual([url, 401])
  }
  const placed = await web.control.place({ userId: person.userId, to: '+12125550100', callerId: undefined })
  expect(placed.kind).toBe('refuse')
})

test('needs the password and the address, typed by its owner', async () => {
  const person = await newPerson()
  const wrong = await person.leave({ password: 'not this one' })
  expect([wrong.statusCode, wrong.json().error.code]).toEqual([403, 'wrong_password'])
  const other = await person.leave({ confirm: 'somebody@example.com' })
  expect([other.statusCode, other.json().error.code]).toEqual([400, 'wrong_confirmation'])
  expect((await person.ask('GET', '/api/protected/me')).statusCode).toBe(200)
  expect((await person.leave({ confirm: ` ${person.email.toUpperCase()} ` })).statusCode).toBe(204)
})

test('whoever guesses the password at an open page is stopped', async () => {
  const person = await newPerson()
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await person.leave({ password: `guess ${guess}` })).statusCode).toBe(403)
  }
  const stopped = await person.leave()
  expect(stopped.statusCode).toBe(429)
  expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
})

test('an account without a password needs none, just after signing in', async () => {
  const person = await newPerson()
  await web.db.query('update app_user set password_hash = null where id = $1', [person.userId])
  web.clock.advance(10 * 60_000)
  const late = await person.leave({ password: '' })
  expect([late.statusCode, late.json().error]).toEqual([
    403,
    { code: 'wrong_password', message: 'Log in with Google again, then do this within 10 minutes.' },
  ])
  web.clock.advance(-1)
  expect((await person.leave({ password: '' })).statusCode).toBe(204)
})

test('not during a call', async () => {
  const person = await newPerson()
  await person.buy(5)
  const call = await connectCall(web.control, person.userId, '+12125550100')
  const refused = await person.leave()
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'call_in_progress'])
  await call.end(1000)
  expect((await person.leave()).statusCode).toBe(204)
})

test('a checkout that was left open is closed; one that cannot be closed now keeps the account', async () => {
  const person = await newPerson()
  const left = await order(web, person.userId, 20)
  web.provider.away = 'before'
  const refused = await person.leave()
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'payment_in_progress'])
  web.provider.away = 'no'
  web.provider.known.set(`cs_${left.id}`, left.expired())
  expect((await person.leave()).statusCode).toBe(204)
  const [payment] = await web.db.query('select state from payment where id = $1', [left.id])
  expect(payment).toEqual({ state: 'expired' })
})

test('not while a refund that was asked for is under way, which says so', async () => {
  const person = await newPerson()
  const bought = await person.buy(20)
  web.provider.away = 'before'
  expect(await requestRefund(web.services, person.userId, bought.id, 20)).toMatchObject({ ok: true })
  web.provider.away = 'no'
  const refused = await person.leave()
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'payment_in_progress'])
  expect(refused.json().error.message).toContain('A refund that you asked for is under way.')
  web.clock.advance(refundGraceMs)
  expect(await repeatRefunds(web.services)).toBe(1)
  expect((await person.leave()).statusCode).toBe(204)
})

test('names what is held for review as lost too, in the profile and in the e-mail', async () => {
  const person = await newPerson()
  const bought = await person.buy(600)
  await deliver(web, bought.refund(30))
  const profile = (await person.ask('GET', '/api/protected/profile')).json()
  const [payment] = await web.db.query<{ bonus: number }>('select bonus from payment where id = $1', [
    bought.id,
  ])
  const bonus = (payment?.bonus ?? 0) / 1_000_000
  expect(bonus).toBeGreaterThan(0)
  // Of the 100 that wait, 30 went back to the card, and with them their part of the bonus.
  expect([profile.credits, profile.heldCredits]).toEqual([500, 70 + bonus * (1 - 30 / 600)])
  expect((await person.leave()).statusCode).toBe(204)
  const mail = (await mailsTo(person.email)).find(({ subject }) => subject.includes('deleted'))
  expect(mail?.text).toContain('$500.00 of credits were on your balance and are given up, and so are')
  expect(mail?.text).toContain(`$${profile.heldCredits.toFixed(2)} of credits that waited for a review.`)
  expect(await givenUp(person.userId)).toEqual([usdToMicroUsd(500)])
  // Released all the same, it comes to what the e-mail said.
  await releasePayment(web.services, bought.id, { actor: 'operator', reason: 'reviewed' })
  await clearLater()
  expect(await givenUp(person.userId)).toEqual([usdToMicroUsd(500), usdToMicroUsd(profile.heldCredits)])
})

test('asked twice at once, it happens once', async () => {
  const person = await newPerson()
  await person.buy(20)
  const answers = await Promise.all([person.leave(), person.leave()])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 204])
  expect(await givenUp(person.userId)).toEqual([usdToMicroUsd(20)])
  const deletionMails = (await mailsTo(person.email)).filter(({ subject }) => subject.includes('deleted'))
  expect(deletionMails).toHaveLength(1)
})

test('asks the provider to delete the card until it has', async () => {
  const person = await newPerson()
  const bought = await person.buy(20, true)
  await person.leave()
  const failures: string[] = []
  const tools = {
    db: web.db,
    clock: web.clock,
    payments: web.provider,
    mailer: { send: async () => undefined },
    onFailure: ({ kind }: { kind: string }) => failures.push(kind),
  }
  web.provider.away = 'before'
  await runDueJobs(tools)
  expect(failures).toEqual(['forget_card'])
  expect(web.provider.forgotten).not.toContain(`pm_${bought.id}`)
  web.provider.away = 'no'
  web.clock.advance(61_000)
  await runDueJobs(tools)
  expect(web.provider.forgotten).toContain(`pm_${bought.id}`)
})

test('books what the payment provider reports afterwards, notifies nobody, and gives up what it brings', async () => {
  const person = await newPerson()
  const bought = await person.buy(50)
  await person.leave()
  const mails = (await web.readMails()).length
  const late = await deliver(web, bought.dispute(50))
  expect(late).toEqual({ ok: true, value: undefined })
  expect(await deliver(web, bought.dispute(50, 'won'))).toEqual({ ok: true, value: undefined })
  expect(await deliver(web, bought.refund(10, 'succeeded', 're_late'))).toEqual({
    ok: true,
    value: undefined,
  })
  expect(await deliver(web, bought.refund(10, 'failed', 're_late'))).toEqual({ ok: true, value: undefined })
  await web.db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'adjustment:' || gen_random_uuid(), adjustments.id, own.id, 3000000, $2
     from account adjustments, account own where adjustments.kind = 'adjustments' and own.user_id = $1`,
    [person.userId, web.clock.now()],
  )
  await clearLater()
  expect(await givenUp(person.userId)).toEqual([usdToMicroUsd(52), usdToMicroUsd(3)])
  expect(await web.readMails()).toHaveLength(mails)
  const [user] = await web.db.query('select can_call from app_user where id = $1', [person.userId])
  expect(user).toEqual({ can_call: false })
})

test('books a checkout that is paid although the account is gone, and keeps no card', async () => {
  const person = await newPerson()
  const opened = await order(web, person.userId, 20, true)
  web.provider.known.set(`cs_${opened.id}`, opened.expired())
  expect((await person.leave()).statusCode).toBe(204)
  expect(await deliver(web, opened.paid())).toEqual({ ok: true, value: undefined })
  await clearLater()
  expect(await givenUp(person.userId)).toEqual([usdToMicroUsd(20)])
  expect(await countOf('saved_card where user_id = $1', person.userId)).toBe(0)
})

test('removes later what a request that was under way has left', async () => {
  const person = await newPerson()
  await person.leave()
  await web.db.query(
    `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, created_at)
     values (gen_random_uuid(), $1, 'Left over', '+12125550100', '+1', 'US', $2)`,
    [person.userId, web.clock.now()],
  )
  await clearLater()
  expect(await countOf('contact where user_id = $1', person.userId)).toBe(0)
})

test('an account is cleared twice and never again, and what comes to it long after is given up with the daily check', async () => {
  const person = await newPerson()
  const bought = await person.buy(20)
  await person.leave()
  const clearings = async () =>
    (await web.db.query('select clearings from app_user where id = $1', [person.userId]))[0]
  await clearDeletedAccounts(web.services)
  expect(await clearings()).toEqual({ clearings: 0 })
  await clearLater()
  expect(await clearings()).toEqual({ clearings: 1 })
  web.clock.advance(lastClearingMs)
  expect(await clearDeletedAccounts(web.services)).toBeGreaterThan(0)
  expect(await clearings()).toEqual({ clearings: 2 })
  expect(await clearDeletedAccounts(web.services)).toBe(0)
  await deliver(web, bought.dispute(20))
  await deliver(web, bought.dispute(20, 'won'))
  await web.db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'adjustment:' || gen_random_uuid(), adjustments.id, own.id, 3000000, $2
     from account adjustments, account own where adjustments.kind = 'adjustments' and own.user_id = $1`,
    [person.userId, web.clock.now()],
  )
  expect(await clearDeletedAccounts(web.services)).toBe(0)
  await giveUpLateCredits(web.services)
  expect(await givenUp(person.userId)).toEqual([usdToMicroUsd(20), usdToMicroUsd(3)])
})

test('the address may sign up again at once: a new account, without the gifts that are given once', async () => {
  const friend = await newPerson()
  const code = new URL((await friend.ask('GET', '/api/referrals')).json().link).searchParams.get('ref')
  const person = await newPerson()
  await web.db.query(`update app_user set free_call = 'used' where id = $1`, [person.userId])
  await person.buy(20)
  await person.leave()

  await web.readMails()
  web.clock.advance(1000)
  await post('/api/auth/register', { email: person.email, password, referralId: code })
  const [confirmation] = await mailsTo(person.email)
  await post('/api/auth/verify-email', { token: linkToken(confirmation) })
  const login = await post('/api/auth/login', { email: person.email, password })
  const me = await web.app.inject({
    url: '/api/protected/me',
    headers: { authorization: `Bearer ${login.json().token}` },
  })
  expect(me.json()).toMatchObject({
    credits: 0,
    has_used_free_call: true,
    can_call: true,
    has_made_call: false,
  })
  expect(me.json().id).not.toBe(person.userId)
  expect(await countOf('referral where referee_id = $1', me.json().id)).toBe(0)
})

test('shows nobody what an address had here before the address is confirmed', async () => {
  const person = await newPerson()
  await web.db.query(
    `update app_user set free_call = 'used', can_call = false, blocked_reason = 'Spam calls.' where id = $1`,
    [person.userId],
  )
  await person.leave()
  web.clock.advance(61_000)
  await post('/api/auth/register', { email: person.email, password })
  const { token } = (await post('/api/auth/login', { email: person.email, password })).json()
  const seen = async () => {
    const headers = { authorization: `Bearer ${token}` }
    const { can_call, blocked_reason, has_used_free_call, email_verified } = (
      await web.app.inject({ url: '/api/protected/me', headers })
    ).json()
    return { can_call, blocked_reason, has_used_free_call, email_verified }
  }
  expect(await seen()).toMatchObject({ can_call: true, has_used_free_call: false, email_verified: false })
  expect((await seen()).blocked_reason ?? null).toBeNull()
  const [confirmation] = await mailsTo(person.email)
  await post('/api/auth/verify-email', { token: linkToken(confirmation) })
  expect(await seen()).toEqual({
    can_call: false,
    blocked_reason: 'Spam calls.',
    has_used_free_call: true,
    email_verified: true,
  })
})

test('a blocked user stays blocked under the same address', async () => {
  const person = await newPerson()
  await web.db.query(`update app_user set can_call = false, blocked_reason = 'Spam calls.' where id = $1`, [
    person.userId,
  ])
  await person.leave()
  const back = await web.signUp(person.email)
  const me = await web.app.inject({
    url: '/api/protected/me',
    headers: { authorization: `Bearer ${back.token}` },
  })
  expect(me.json()).toMatchObject({ can_call: false, blocked_reason: 'Spam calls.' })
})

test('a deleted referrer earns nothing, and one who stays sees no address of a deleted user', async () => {
  const [leaver, stayer, referee] = [await newPerson(), await newPerson(), await newPerson()]
  const refer = (referrer: string, who: string) =>
    web.db.query('insert into referral (referee_id, referrer_id, joined_at) values ($1, $2, $3)', [
      who,
      referrer,
      web.clock.now(),
    ])
  await refer(leaver.userId, referee.userId)
  await refer(stayer.userId, leaver.userId)
  await leaver.leave()
  await referee.buy(50)
  await passRefundWindow(web)
  await clearLater()
  expect(await givenUp(leaver.userId)).toEqual([])
  const seen = await showReferrals(web.services, stayer.userId)
  expect(seen?.people).toMatchObject([{ email: 'Deleted account', state: 'gone' }])
})
