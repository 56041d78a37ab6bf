import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'
import { newestToken, tokensIn } from './emails.ts'

const web = keepForFile(await createWeb())

const dayMs = 24 * 3600 * 1000
const profileUrl = '/api/protected/profile'

const post = (url: string, payload: object, token?: string) =>
  web.app.inject({
    method: 'POST',
    url,
    payload,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })
const login = (email: string, word = password) => post('/api/auth/login', { email, password: word })
const profile = async (token: string) =>
  (await web.app.inject({ url: profileUrl, headers: { authorization: `Bearer ${token}` } })).json()
const mailsTo = async (email: string) => (await web.readMails()).filter(({ to }) => to === email)
const change = (token: string, email: string, word = password) =>
  post(`${profileUrl}/email`, { email, password: word }, token)
const confirm = (token: string) => post('/api/auth/confirm-email-change', { token })
const linkTo = async (email: string) => newestToken(await mailsTo(email), 'change')

test('an account moves to a new address when that confirms it, and the old address is notified', async () => {
  const [old, fresh] = ['old@example.com', 'fresh@example.com']
  const { token } = await web.signUp(old)
  const asked = await change(token, ' Fresh@Example.com ')
  expect(asked.statusCode).toBe(202)
  expect(asked.json()).toMatchObject({ email: old, pendingEmail: fresh })
  expect((await login(fresh)).statusCode).toBe(401)

  const link = await linkTo(fresh)
  const moved = await confirm(link)
  expect([moved.statusCode, moved.json()]).toEqual([200, { email: fresh }])
  expect(await profile(token)).toMatchObject({ email: fresh, emailVerified: true, pendingEmail: null })
  expect((await login(old)).statusCode).toBe(401)
  expect((await login(fresh)).statusCode).toBe(200)
  const [notified] = await mailsTo(old)
  expect(notified?.subject).toBe("Your Farline account's e-mail was changed")
  expect(notified?.text).not.toContain(fresh)
  expect((await confirm(link)).statusCode).toBe(410)
})

test('every device is signed out then, but the one that asked for it', async () => {
  const [old, fresh] = ['one-of-two@example.com', 'both-gone@example.com']
  await web.signUp(old)
  const thief = (await login(old)).json()
  const { token } = (await login(old)).json()
  await change(token, fresh)
  expect((await confirm(await linkTo(fresh))).statusCode).toBe(200)
  const status = async (bearer: string) =>
    (await web.app.inject({ url: profileUrl, headers: { authorization: `Bearer ${bearer}` } })).statusCode
  expect([await status(thief.token), await status(token)]).toEqual([401, 200])
})

test('it needs the password, and guessing at it is limited', async () => {
  const { token } = await web.signUp('guarded@example.com')
  for (let guess = 0; guess < 10; guess += 1) {
    const wrong = await change(token, `guess-${guess}@example.com`, 'not the password')
    expect([wrong.statusCode, wrong.json().error.code]).toEqual([403, 'wrong_password'])
  }
  const limited = await change(token, 'guess-11@example.com')
  expect(limited.statusCode).toBe(429)
  expect(Number(limited.headers['retry-after'])).toBeGreaterThan(0)
  expect(await profile(token)).toMatchObject({ pendingEmail: null })
  expect(await mailsTo('guess-0@example.com')).toEqual([])
})

test('a link works for 24 hours, until it is cancelled, or until another one is requested', async () => {
  const { token } = await web.signUp('undecided@example.com')
  await change(token, 'first-choice@example.com')
  const first = await linkTo('first-choice@example.com')
  await change(token, 'second-choice@example.com')
  const second = await linkTo('second-choice@example.com')
  expect((await confirm(first)).statusCode).toBe(410)
  const given = await web.app.inject({
    method: 'DELETE',
    url: `${profileUrl}/email`,
    headers: { authorization: `Bearer ${token}` },
  })
  expect([given.statusCode, given.json().pendingEmail]).toEqual([200, null])
  expect((await confirm(second)).statusCode).toBe(410)

  await change(token, 'third-choice@example.com')
  const third = await linkTo('third-choice@example.com')
  web.clock.advance(dayMs)
  const late = await login('undecided@example.com')
  expect(await profile(late.json().token)).toMatchObject({ pendingEmail: null })
  expect((await confirm(third)).statusCode).toBe(410)
})

test('reveals to nobody but its owner whether an address has an account', async () => {
  await web.signUp('neighbour@example.com')
  const { token } = await web.signUp('curious@example.com')
  const free = await change(token, 'free@example.com')
  const taken = await change(token, 'neighbour@example.com')
  expect(taken.statusCode).toBe(free.statusCode)
  expect({ ...taken.json(), pendingEmail: null }).toEqual({ ...free.json(), pendingEmail: null })
  expect(taken.json().pendingEmail).toBe('neighbour@example.com')
  const [notified] = await mailsTo('neighbour@example.com')
  expect(notified?.subject).toBe('This address already has a Farline account')
  expect(tokensIn([notified ?? { text: '' }], 'change')).toEqual([])
})

test('an address that another user registered meanwhile stays theirs', async () => {
  const { token } = await web.signUp('late-mover@example.com')
  await change(token, 'wanted@example.com')
  const link = await linkTo('wanted@example.com')
  web.clock.advance(61_000)
  await web.signUp('wanted@example.com')
  const refused = await confirm(link)
  expect([refused.statusCode, refused.json().error.code]).toEqual([409, 'email_taken'])
  expect((await login('late-mover@example.com')).statusCode).toBe(200)
})

test('changing to the address that the account already has cancels the change', async () => {
  const { token } = await web.signUp('returner@example.com')
  await change(token, 'elsewhere@example.com')
  const back = await change(token, 'returner@example.com')
  expect([back.statusCode, back.json().pendingEmail]).toEqual([202, null])
  expect((await confirm(await linkTo('elsewhere@example.com'))).statusCode).toBe(410)
})

test('an account that was never confirmed moves too, and its first address is not notified', async () => {
  const [typo, right] = ['annna@example.com', 'anna-right@example.com']
  await post('/api/auth/register', { email: typo, password })
  const { token } = (await login(typo)).json()
  const confirmation = newestToken(await mailsTo(typo), 'confirm')
  await change(token, right)
  expect((await confirm(await linkTo(right))).statusCode).toBe(200)
  expect(await profile(token)).toMatchObject({ email: right, emailVerified: true })
  // What went to the first address would give the account to whoever reads it there.
  expect((await post('/api/auth/verify-email', { token: confirmation })).statusCode).toBe(410)
  expect(await mailsTo(typo)).toHaveLength(1)
})

test('whoever registered an address first cannot move the account away from its owner', async () => {
  const email = 'owner@example.com'
  await post('/api/auth/register', { email, password: 'the squatters password' })
  const { token } = (await login(email, 'the squatters password')).json()
  await change(token, 'squatter@example.com', 'the squatters password')
  const away = await linkTo('squatter@example.com')
  web.clock.advance(61_000)
  await web.signUp(email)
  expect((await confirm(away)).statusCode).toBe(410)
  expect((await login(email)).statusCode).toBe(200)
})

test('a link to choose a password that went to the old address is void after a move', async () => {
  const { token } = await web.signUp('mover@example.com')
  await post('/api/auth/forgot-password', { email: 'mover@example.com' })
  const resetLink = newestToken(await mailsTo('mover@example.com'), 'reset')
  await change(token, 'moved@example.com')
  await confirm(await linkTo('moved@example.com'))
  const reset = await post('/api/auth/reset-password', { token: resetLink, password: 'another battery' })
  expect(reset.statusCode).toBe(410)
})
