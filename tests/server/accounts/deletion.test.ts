import { afterEach, expect, test } from 'vitest'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { repeatRefunds, requestRefund } from '#server/payments/refunds/refund-request.ts'
import { refundGraceMs } from '#server/payments/refunds/refund-rows.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb, password } from '#support/web.ts'
import { order } from '../payments/buyer.ts'
import { countOf, givenUp, mailsTo, newPerson } from './leavers.ts'

const web = keepForFile(await createWeb())
afterEach(() => {
  web.provider.away = 'no'
})

const post = (url: string, payload: object) => web.app.inject({ method: 'POST', url, payload })

/** Each table that names a user, and what becomes of their rows. A new one has to be decided about. */
const removed = [
  'authenticator_app',
  'called_country',
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
  'gift', // without its texts: an envelope that is out keeps working
  'payment', // what the law asks for
  'verification_call', // a day, for the limits
]

test('deleting an account removes what was its owner’s alone and keeps the ledger without a name', async () => {
  const person = await newPerson(web)
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
    expect([table, await countOf(web, `${table} where user_id = $1`, userId)]).not.toEqual([table, 0])
  }

  const [before] = await db.query<{ balance: number }>('select balance from account where user_id = $1', [
    userId,
  ])
  expect((await person.leave()).statusCode).toBe(204)

  for (const table of removed) {
    expect([table, await countOf(web, `${table} where user_id = $1`, userId)]).toEqual([table, 0])
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
  expect(await givenUp(web, userId)).toEqual([before?.balance])
  const [said] = await db.query('select score, comment from feedback where user_id = $1', [userId])
  expect(said).toEqual({ score: 2, comment: null })
  const [payment] = await db.query(
    'select card_last4, card_fingerprint, receipt is not null as numbered from payment where id = $1',
    [bought.id],
  )
  expect(payment).toEqual({ card_last4: '4242', card_fingerprint: null, numbered: true })

  const mail = (await mailsTo(web, email)).find(
    ({ subject }) => subject === 'Your Farline account has been deleted',
  )
  expect(mail?.text).toContain('You lose the $52.00 of credits left in your balance.')
  expect(web.provider.forgotten).toContain(`pm_${bought.id}`)
})

test('needs the password and the address, typed by its owner', async () => {
  const person = await newPerson(web)
  const wrong = await person.leave({ password: 'not this one' })
  expect([wrong.statusCode, wrong.json().error.code]).toEqual([403, 'wrong_password'])
  const other = await person.leave({ confirm: 'somebody@example.com' })
  expect([other.statusCode, other.json().error.code]).toEqual([400, 'wrong_confirmation'])
  expect((await person.ask('GET', '/api/protected/me')).statusCode).toBe(200)
  expect((await person.leave({ confirm: ` ${person.email.toUpperCase()} ` })).statusCode).toBe(204)
})

test('whoever guesses the password at an open page is stopped', async () => {
  const person = await newPerson(web)
  for (let guess = 0; guess < 10; guess += 1) {
    expect((await person.leave({ password: `guess ${guess}` })).statusCode).toBe(403)
  }
  const stopped = await person.leave()
  expect(stopped.statusCode).toBe(429)
  expect(Number(stopped.headers['retry-after'])).toBeGreaterThan(0)
})

test('an account without a password needs none, just after signing in', async () => {
  const person = await newPerson(web)
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
  const person = await newPerson(web)
  await person.buy(5)
  const call = await connectCall(web.control, person.userId, '+12125550100')
  const refused = await person.leave()
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'call_in_progress'])
  await call.end(1000)
  expect((await person.leave()).statusCode).toBe(204)
})

test('a checkout that was left open is closed; one that cannot be closed now keeps the account', async () => {
  const person = await newPerson(web)
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
  const person = await newPerson(web)
  const bought = await person.buy(20)
  web.provider.away = 'before'
  expect(await requestRefund(web.services, person.userId, bought.id, 20)).toMatchObject({ ok: true })
  web.provider.away = 'no'
  const refused = await person.leave()
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'payment_in_progress'])
  expect(refused.json().error.message).toContain('A refund you asked for is under way.')
  web.clock.advance(refundGraceMs)
  expect(await repeatRefunds(web.services)).toBe(1)
  expect((await person.leave()).statusCode).toBe(204)
})

test('asked twice at once, it happens once', async () => {
  const person = await newPerson(web)
  await person.buy(20)
  const answers = await Promise.all([person.leave(), person.leave()])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([204, 204])
  expect(await givenUp(web, person.userId)).toEqual([usdToMicroUsd(20)])
  const deletionMails = (await mailsTo(web, person.email)).filter(({ subject }) =>
    subject.includes('deleted'),
  )
  expect(deletionMails).toHaveLength(1)
})
