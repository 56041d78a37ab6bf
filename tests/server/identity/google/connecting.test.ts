import { expect, test } from 'vitest'
import { vouchesFor } from '#server/accounts/google/vouching.ts'
import { keepForFile } from '#support/file-world.ts'
import { password } from '#support/web.ts'
import { createGoogleWorld, type Visit } from './google-world.ts'

const world = keepForFile(await createGoogleWorld())

const post = (url: string, payload: object, cookies: Record<string, string> = {}) =>
  world.app.inject({ method: 'POST', url, payload, cookies })
const problemOf = ({ address }: Visit) => address.searchParams.get('problem')
const mailsTo = async (email: string) => (await world.readMails()).filter(({ to }) => to === email)
const linkedMails = async (email: string) =>
  (await mailsTo(email)).filter(({ subject }) => subject.startsWith('You can now log in'))
/** With an address that somebody verified at Google once, and that Google does not run. */
const unvouched = (email: string) => world.signIn({ email, subject: `of ${email}`, hostedDomain: null })

test.each([
  ['anna@gmail.com', null, true],
  ['anna@googlemail.com', null, true],
  ['anna@firm.example', 'firm.example', true],
  ['anna@firm.example', null, false],
  ['anna@firm.example', 'other.example', false],
  ['anna@sub.firm.example', 'firm.example', false],
  ['anna@gmail.com.evil.example', null, false],
  ['anna@notgmail.com', null, false],
])('Google vouches for %s with the domain %s: %s', (email, hostedDomain, vouched) => {
  expect(vouchesFor({ email, emailVerified: true, hostedDomain })).toBe(vouched)
  expect(vouchesFor({ email, emailVerified: false, hostedDomain })).toBe(false)
})

test('an address that Google does not vouch for opens no account; the password connects it, once', async () => {
  const email = 'former-owner@example.com'
  const { userId } = await world.signUp(email)
  const refused = await unvouched(email)
  expect([problemOf(refused), refused.cookies['refresh']]).toEqual(['google_connect', undefined])
  // Somebody who does not know the password gets nowhere with it, now or later.
  expect(
    (await post('/api/auth/login', { email, password: 'a wrong one' }, refused.cookies)).statusCode,
  ).toBe(401)
  expect(problemOf(await unvouched(email))).toBe('google_connect')
  expect(await linkedMails(email)).toEqual([])

  const logIn = await post('/api/auth/login', { email, password }, refused.cookies)
  expect(logIn.statusCode).toBe(200)
  expect(logIn.cookies).toContainEqual(expect.objectContaining({ name: 'connect-google', value: '' }))
  expect(await linkedMails(email)).toHaveLength(1)
  const opened = await unvouched(email)
  expect([problemOf(opened), (await world.me(opened))?.id]).toEqual([null, userId])
})

test('so does a mailed link with which a password is chosen', async () => {
  const email = 'no-password@example.com'
  const { userId } = await world.signUp(email)
  const { cookies } = await unvouched(email)
  await post('/api/auth/forgot-password', { email })
  const [mail] = await mailsTo(email)
  const [, token] = /reset-password#token=([\w-]+)/.exec(mail?.text ?? '') ?? []
  const chosen = await post('/api/auth/reset-password', { token, password: 'another fine battery' }, cookies)
  expect(chosen.statusCode, chosen.body).toBe(200)
  expect((await world.me(await unvouched(email)))?.id).toBe(userId)
})

test('it connects neither another account, nor one that nobody confirmed, nor after half an hour', async () => {
  const [email, other] = ['wanted@example.com', 'other@example.com']
  await world.signUp(email)
  await world.signUp(other)
  const { cookies } = await unvouched(email)
  expect((await post('/api/auth/login', { email: other, password }, cookies)).statusCode).toBe(200)
  expect(problemOf(await unvouched(email))).toBe('google_connect')

  const trap = 'trap@example.com'
  await post('/api/auth/register', { email: trap, password })
  const atTrap = await unvouched(trap)
  expect(problemOf(atTrap)).toBe('google_connect')
  expect((await post('/api/auth/login', { email: trap, password }, atTrap.cookies)).statusCode).toBe(200)
  expect(problemOf(await unvouched(trap))).toBe('google_connect')

  const late = await unvouched(email)
  world.clock.advance(30 * 60_000 + 1000)
  expect((await post('/api/auth/login', { email, password }, late.cookies)).statusCode).toBe(200)
  expect(problemOf(await unvouched(email))).toBe('google_connect')
})

test('an address without an account still gets one', async () => {
  const back = await unvouched('newcomer@example.com')
  expect(await world.me(back)).toMatchObject({ email: 'newcomer@example.com', email_verified: true })
})
