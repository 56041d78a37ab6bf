import { afterEach, expect, test } from 'vitest'
import { usdToMicroUsd } from '#lib/money/money.ts'
import {
  clearDeletedAccounts,
  giveUpLateCredits,
  lastClearingMs,
} from '#server/accounts/retention/clear-deleted.ts'
import { runDueJobs } from '#server/jobs/run.ts'
import { releasePayment } from '#server/payments/release.ts'
import { showReferrals } from '#server/referrals/own-referrals.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, linkToken, password } from '#support/web.ts'
import { deliver, order, passRefundWindow } from '../payments/buyer.ts'
import { clearLater, countOf, givenUp, lateCredits, mailsTo, newPerson } from './leavers.ts'

const web = keepForFile(await createWeb())
afterEach(() => {
  web.provider.away = 'no'
})

const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
  web.app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })

test('a deleted account is unknown: for log-in, refresh, a password reset, and a page that is still open', async () => {
  const person = await newPerson(web)
  await post('/api/auth/forgot-password', { email: person.email })
  const [reset] = await mailsTo(web, person.email)
  const resetToken = /reset-password#token=([\w-]+)/.exec(reset?.text ?? '')?.[1] ?? ''
  expect(resetToken).not.toBe('')
  await person.leave()
  const before = (await mailsTo(web, person.email)).length
  web.clock.advance(60_000)
  const login = await post('/api/auth/login', { email: person.email, password })
  expect([login.statusCode, login.json().error.code]).toEqual([401, 'wrong_credentials'])
  expect((await post('/api/auth/refresh-token', undefined, { cookie: person.cookie })).statusCode).toBe(401)
  expect((await post('/api/auth/forgot-password', { email: person.email })).statusCode).toBe(202)
  expect(await mailsTo(web, person.email)).toHaveLength(before)
  const again = await post('/api/auth/reset-password', { token: resetToken, password: 'another good one' })
  expect(again.statusCode).toBe(410)
  for (const url of ['/api/protected/me', '/api/contacts', '/api/calls', '/api/protected/export']) {
    expect([url, (await person.ask('GET', url)).statusCode]).toEqual([url, 401])
  }
  const placed = await web.control.place({ userId: person.userId, to: '+12125550100', callerId: undefined })
  expect(placed.kind).toBe('refuse')
})

test('names what is held for review as lost too, in the profile and in the e-mail', async () => {
  const person = await newPerson(web)
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
  const mail = (await mailsTo(web, person.email)).find(({ subject }) => subject.includes('deleted'))
  expect(mail?.text).toContain('You lose the $500.00 of credits left in your balance and')
  expect(mail?.text).toContain(`$${profile.heldCredits.toFixed(2)} of credits that were under review.`)
  expect(await givenUp(web, person.userId)).toEqual([usdToMicroUsd(500)])
  // Released all the same, it comes to what the e-mail said.
  await releasePayment(web.services, bought.id, { actor: 'operator', reason: 'reviewed' })
  await clearLater(web)
  expect(await givenUp(web, person.userId)).toEqual([usdToMicroUsd(500), usdToMicroUsd(profile.heldCredits)])
})

test('asks the provider to delete the card until it has', async () => {
  const person = await newPerson(web)
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
  const person = await newPerson(web)
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
  await lateCredits(web, person.userId, 3)
  await clearLater(web)
  expect(await givenUp(web, person.userId)).toEqual([usdToMicroUsd(52), usdToMicroUsd(3)])
  expect(await web.readMails()).toHaveLength(mails)
  const [user] = await web.db.query('select can_call from app_user where id = $1', [person.userId])
  expect(user).toEqual({ can_call: false })
})

test('books a checkout that is paid although the account is gone, and keeps no card', async () => {
  const person = await newPerson(web)
  const opened = await order(web, person.userId, 20, true)
  web.provider.known.set(`cs_${opened.id}`, opened.expired())
  expect((await person.leave()).statusCode).toBe(204)
  expect(await deliver(web, opened.paid())).toEqual({ ok: true, value: undefined })
  await clearLater(web)
  expect(await givenUp(web, person.userId)).toEqual([usdToMicroUsd(20)])
  expect(await countOf(web, 'saved_card where user_id = $1', person.userId)).toBe(0)
})

test('removes later what a request that was under way has left', async () => {
  const person = await newPerson(web)
  await person.leave()
  await web.db.query(
    `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, created_at)
     values (gen_random_uuid(), $1, 'Left over', '+12125550100', '+1', 'US', $2)`,
    [person.userId, web.clock.now()],
  )
  await clearLater(web)
  expect(await countOf(web, 'contact where user_id = $1', person.userId)).toBe(0)
})

test('an account is cleared twice and never again, and what comes to it long after is given up with the daily check', async () => {
  const person = await newPerson(web)
  const bought = await person.buy(20)
  await person.leave()
  const clearings = async () =>
    (await web.db.query('select clearings from app_user where id = $1', [person.userId]))[0]
  await clearDeletedAccounts(web.services)
  expect(await clearings()).toEqual({ clearings: 0 })
  await clearLater(web)
  expect(await clearings()).toEqual({ clearings: 1 })
  web.clock.advance(lastClearingMs)
  expect(await clearDeletedAccounts(web.services)).toBeGreaterThan(0)
  expect(await clearings()).toEqual({ clearings: 2 })
  expect(await clearDeletedAccounts(web.services)).toBe(0)
  await deliver(web, bought.dispute(20))
  await deliver(web, bought.dispute(20, 'won'))
  await lateCredits(web, person.userId, 3)
  expect(await clearDeletedAccounts(web.services)).toBe(0)
  await giveUpLateCredits(web.services)
  expect(await givenUp(web, person.userId)).toEqual([usdToMicroUsd(20), usdToMicroUsd(3)])
})

test('the address may sign up again at once: a new account, without the gifts that are given once', async () => {
  const friend = await newPerson(web)
  const code = new URL((await friend.ask('GET', '/api/referrals')).json().link).searchParams.get('ref')
  const person = await newPerson(web)
  await web.db.query(`update app_user set free_call = 'used' where id = $1`, [person.userId])
  await person.buy(20)
  await person.leave()

  await web.readMails()
  web.clock.advance(1000)
  await post('/api/auth/register', { email: person.email, password, referralId: code })
  const [confirmation] = await mailsTo(web, person.email)
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
  expect(await countOf(web, 'referral where referee_id = $1', me.json().id)).toBe(0)
})

test('shows nobody what an address had here before the address is confirmed', async () => {
  const person = await newPerson(web)
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
  const [confirmation] = await mailsTo(web, person.email)
  await post('/api/auth/verify-email', { token: linkToken(confirmation) })
  expect(await seen()).toEqual({
    can_call: false,
    blocked_reason: 'Spam calls.',
    has_used_free_call: true,
    email_verified: true,
  })
})

test('a blocked user stays blocked under the same address', async () => {
  const person = await newPerson(web)
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
  const [leaver, stayer, referee] = [await newPerson(web), await newPerson(web), await newPerson(web)]
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
  await clearLater(web)
  expect(await givenUp(web, leaver.userId)).toEqual([])
  const seen = await showReferrals(web.services, stayer.userId)
  expect(seen?.people).toMatchObject([{ email: 'Deleted account', state: 'gone' }])
})
