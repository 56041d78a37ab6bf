import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { password } from '#support/web.ts'
import { newestToken } from '../../accounts/emails.ts'
import { createGoogleWorld, type Visit } from './google-world.ts'

/** What shuts a Google account out, and what a sign-in with Google proves. */

const world = keepForFile(await createGoogleWorld())

const next = 'another battery staple'
const profileUrl = '/api/protected/profile'

const post = (url: string, payload: object, token?: string) =>
  world.app.inject({
    method: 'POST',
    url,
    payload,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
const login = async (email: string, word: string) =>
  (await post('/api/auth/login', { email, password: word })).statusCode
const noticeOf = ({ address }: Visit) => address.searchParams.get('told')
const idOf = async (visit: Visit) => (await world.me(visit))?.id
const mailsTo = async (email: string) => (await world.readMails()).filter(({ to }) => to === email)

/** The bearer token of the session that a visit ended with. */
async function tokenOf({ cookies }: Visit): Promise<string> {
  const headers = { cookie: `refresh=${cookies.refresh}` }
  const fresh = await world.app.inject({ method: 'POST', url: '/api/auth/refresh-token', headers })
  return fresh.json().token
}

async function chooseByMail(email: string): Promise<number> {
  world.clock.advance(61_000)
  await post('/api/auth/forgot-password', { email })
  const token = newestToken(await mailsTo(email), 'reset')
  return (await post('/api/auth/reset-password', { token, password: next })).statusCode
}

test('a password chosen by mail shuts Google out, until the Google account of the address comes back', async () => {
  const email = 'robbed@example.com'
  const own = await world.me(await world.signIn({ email, subject: '2001' }))
  expect(await chooseByMail(email)).toBe(200)
  expect((await mailsTo(email))[0]?.text).toContain('only the Google account with this e-mail address')

  const elsewhere = await world.signIn({ email: 'elsewhere@example.com', subject: '2001' })
  expect(await idOf(elsewhere)).not.toBe(own?.id)
  const back = await world.signIn({ email, subject: '2002' })
  expect([noticeOf(back), await idOf(back)]).toEqual(['linked', own?.id])
  expect(await login(email, next)).toBe(200)
})

test('an account that only Google opened, moved: open to the new address, by Google or a password that it chooses', async () => {
  const [old, fresh] = ['moves-away@example.com', 'moves-here@example.com']
  const visit = await world.signIn({ email: old, subject: '2101' })
  const token = await tokenOf(visit)
  const id = await idOf(visit)
  expect((await post(`${profileUrl}/email`, { email: fresh, password: '' }, token)).statusCode).toBe(202)
  const [asked] = await mailsTo(fresh)
  expect(asked?.text).toContain('set one with "Forgot password?"')
  const change = newestToken(asked === undefined ? [] : [asked], 'change')
  expect((await post('/api/auth/confirm-email-change', { token: change })).statusCode).toBe(200)

  expect(await idOf(await world.signIn({ email: old, subject: '2101' }))).not.toBe(id)
  const back = await world.signIn({ email: fresh, subject: '2102' })
  expect([noticeOf(back), await idOf(back)]).toEqual(['linked', id])
  expect(await chooseByMail(fresh)).toBe(200)
  expect(await login(fresh, next)).toBe(200)
})

test('signing in with Google and deleting the account in a loop is limited in e-mails to one mailbox a day', async () => {
  const leave = async (email: string) => {
    const token = await tokenOf(await world.signIn({ email, subject: '2201', loggedInSecondsAgo: 0 }))
    const deleted = await post('/api/protected/delete-account', { confirm: email, password: '' }, token)
    expect(deleted.statusCode).toBe(204)
    world.clock.advance(10_000)
  }
  const noticesTo = async (email: string) =>
    (await mailsTo(email)).filter(({ subject }) => subject.includes('deleted')).length
  const email = 'loops@example.com'
  const bound = world.services.policy.budgets.notice_mail.find(({ per }) => per === 'mailbox')
  const max = bound !== undefined && 'maxUses' in bound ? bound.maxUses : 0
  for (let turn = 0; turn < max + 2; turn += 1) await leave(email)
  await leave('loops+again@example.com')
  await leave('another-reader@example.com')
  expect([await noticesTo(email), await noticesTo('loops+again@example.com')]).toEqual([max, 0])
  expect(await noticesTo('another-reader@example.com')).toBe(1)
})

test('a password changed in the profile leaves Google as it is', async () => {
  const email = 'changes@example.com'
  const { token, userId } = await world.signUp(email)
  await world.signIn({ email, subject: '2201' })
  expect((await post(`${profileUrl}/password`, { current: password, next }, token)).statusCode).toBe(204)
  const back = await world.signIn({ email: 'renamed@example.com', subject: '2201' })
  expect([noticeOf(back), await idOf(back)]).toEqual([null, userId])
})

test('without a password, what takes one takes a sign-in of the last 10 minutes', async () => {
  const email = 'left-open@example.com'
  const open = await tokenOf(await world.signIn({ email, subject: '2301' }))
  world.clock.advance(10 * 60_000)
  const acts = [
    ['/api/protected/profile/password', { current: '', next }],
    ['/api/protected/profile/email', { email: 'thief@example.com', password: '' }],
    ['/api/protected/delete-account', { confirm: email, password: '' }],
  ] as const
  for (let round = 0; round < 3; round += 1) {
    for (const [url, payload] of acts) {
      const refused = await post(url, payload, open)
      expect([refused.statusCode, refused.json().error]).toEqual([
        403,
        { code: 'wrong_password', message: 'Log in with Google again, then do this within 10 minutes.' },
      ])
    }
  }
  const fresh = await tokenOf(await world.signIn({ email, subject: '2301' }))
  world.clock.advance(10 * 60_000 - 1)
  const set = (current: string) => post('/api/protected/profile/password', { current, next }, fresh)
  expect((await set('')).statusCode).toBe(204)
  // Those nine no longer count.
  for (let guess = 0; guess < 10; guess += 1) expect((await set(`guess ${guess}`)).statusCode).toBe(403)
  expect((await set(next)).statusCode).toBe(429)
})

test('a sign-in that meets a deletion on its way has a new account, not the deleted one', async () => {
  const email = 'leaving@example.com'
  const old = String(await idOf(await world.signIn({ email, subject: '2401' })))
  const begun = await world.begin()
  const address = world.choose(begun, { email, subject: '2401' })
  const met = await world.db.transaction(async tx => {
    await tx.query('select id from app_user where id = $1 for update', [old])
    const back = world.comeBack(address, begun.cookies)
    // Long enough for it to ask Google, and to wait for us.
    await setTimeout(500)
    await tx.query('delete from google_identity where user_id = $1', [old])
    await tx.query(
      `update app_user set deleted_at = $2, email = 'deleted-' || id || '@invalid' where id = $1`,
      [old, world.clock.now()],
    )
    return { back }
  })
  const me = await world.me(await met.back)
  expect(me).toMatchObject({ email, email_verified: true })
  expect(me?.id).not.toBe(old)
})
