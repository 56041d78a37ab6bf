import { expect, test } from 'vitest'
import { endFailedTopUp } from '#server/payments/auto-top-up/auto-top-up-failure.ts'
import { lockPayment } from '#server/payments/rows.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password, readRefreshCookie } from '#support/web.ts'

const web = keepForFile(await createWeb())

const next = 'another battery staple'
const profileUrl = '/api/protected/profile'

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, token: string, payload?: object) =>
  web.app.inject({
    method,
    url,
    headers: { authorization: `Bearer ${token}` },
    ...(payload === undefined ? {} : { payload }),
  })
const login = (email: string, word: string) =>
  web.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password: word } })
const refresh = (cookie: string) =>
  web.app.inject({ method: 'POST', url: '/api/auth/refresh-token', headers: { cookie } })
const mailsTo = async (email: string) => (await web.readMails()).filter(({ to }) => to === email)

test('a profile shows who one is, what one has and how one signs in', async () => {
  const { token } = await web.signUp('anna@example.com')
  const answer = await ask('GET', profileUrl, token)
  expect([answer.statusCode, answer.json()]).toEqual([
    200,
    {
      name: null,
      email: 'anna@example.com',
      emailVerified: true,
      pendingEmail: null,
      hasPassword: true,
      google: null,
      memberSince: web.clock.now().toISOString(),
      credits: 0,
      heldCredits: 0,
      booklets: [],
      savedCard: null,
      autoTopUpEnabled: false,
    },
  ])
})

test('keeps a name as it is written, and an empty one removes it', async () => {
  const { token } = await web.signUp('names@example.com')
  for (const [typed, kept] of [
    ['  Anna   Berg ', 'Anna Berg'],
    ['=cmd|/c calc', '=cmd|/c calc'],
    ['\u202eمحمد\u202c <b>', 'محمد <b>'],
    ['👩\u200d🚀', '👩\u200d🚀'],
    ['😀'.repeat(80), '😀'.repeat(80)],
    ['a\ud83d', 'a\ufffd'],
    ['', null],
  ]) {
    const answer = await ask('POST', `${profileUrl}/name`, token, { name: typed })
    expect([answer.statusCode, answer.json().name]).toEqual([200, kept])
  }
  const refused = await ask('POST', `${profileUrl}/name`, token, { name: 'a'.repeat(10_000) })
  expect([refused.statusCode, refused.json().errors[0]]).toEqual([
    400,
    { field: 'name', message: 'Use at most 80 characters.' },
  ])
})

test('a changed password signs out every other device, and is reported by e-mail', async () => {
  const email = 'changer@example.com'
  const other = await web.signUp(email)
  const here = await login(email, password)
  const { token } = here.json()
  const changed = await ask('POST', `${profileUrl}/password`, token, { current: password, next })
  expect(changed.statusCode).toBe(204)
  expect((await ask('GET', profileUrl, token)).statusCode).toBe(200)
  expect((await refresh(readRefreshCookie(here.headers['set-cookie']))).statusCode).toBe(200)
  expect((await ask('GET', profileUrl, other.token)).statusCode).toBe(401)
  expect((await refresh(other.cookie)).statusCode).toBe(401)
  expect((await login(email, password)).statusCode).toBe(401)
  expect((await login(email, next)).statusCode).toBe(200)
  expect((await mailsTo(email))[0]?.subject).toBe('Your Farline account has a new password')
})

test('a wrong current password changes nothing, and guessing at it is limited', async () => {
  const email = 'stable@example.com'
  const { token } = await web.signUp(email)
  const change = (current: string) => ask('POST', `${profileUrl}/password`, token, { current, next })
  for (let guess = 0; guess < 10; guess += 1) {
    const wrong = await change(guess === 0 ? '' : `guess ${guess}`)
    expect([wrong.statusCode, wrong.json().error.code]).toEqual([403, 'wrong_password'])
  }
  expect((await change(password)).statusCode).toBe(429)
  expect((await login(email, password)).statusCode).toBe(200)
  web.clock.advance(15 * 60_000)
  const later = await login(email, password)
  expect(
    (await ask('POST', `${profileUrl}/password`, later.json().token, { current: password, next })).statusCode,
  ).toBe(204)
})

test('rejects a common password beside its field', async () => {
  const { token } = await web.signUp('common@example.com')
  const refused = await ask('POST', `${profileUrl}/password`, token, {
    current: password,
    next: 'password123',
  })
  expect([refused.statusCode, refused.json().errors[0].field]).toEqual([400, 'next'])
})

test('an account without a password is given its first one', async () => {
  const email = 'first@example.com'
  const { token, userId } = await web.signUp(email)
  await web.db.query('update app_user set password_hash = null where id = $1', [userId])
  await web.db.query(
    `insert into google_identity (issuer, subject, user_id, email, created_at) values ('g', 's', $1, $2, $3)`,
    [userId, 'first@gmail.example', web.clock.now()],
  )
  expect((await ask('GET', profileUrl, token)).json()).toMatchObject({
    hasPassword: false,
    google: 'first@gmail.example',
  })
  const set = (current: string) => ask('POST', `${profileUrl}/password`, token, { current, next })
  expect((await set('something')).statusCode).toBe(403)
  expect((await set('')).statusCode).toBe(204)
  expect((await set('')).statusCode).toBe(403)
  expect((await login(email, next)).statusCode).toBe(200)
})

test('a new password cancels a pending change of address', async () => {
  const { token } = await web.signUp('suspicious@example.com')
  await ask('POST', `${profileUrl}/email`, token, { email: 'thief@example.com', password })
  await ask('POST', `${profileUrl}/password`, token, { current: password, next })
  expect((await ask('GET', profileUrl, token)).json().pendingEmail).toBeNull()
})

test('keeps the first answer to where a user heard about us', async () => {
  const { token, userId } = await web.signUp('heard@example.com')
  const answerSource = (payload: object) => ask('POST', '/api/protected/heard-about', token, payload)
  expect((await answerSource({ source: 'other', detail: ' at a  bus stop ' })).statusCode).toBe(204)
  expect((await answerSource({ source: null })).statusCode).toBe(204)
  expect((await answerSource({ source: 'nowhere' })).statusCode).toBe(400)
  const [row] = await web.db.query(
    'select heard_about, heard_about_detail, heard_about_at from app_user where id = $1',
    [userId],
  )
  expect(row).toEqual({
    heard_about: 'other',
    heard_about_detail: 'at a  bus stop',
    heard_about_at: web.clock.now(),
  })
})

/** Somebody with a kept card and auto top-up on. */
async function withCard(email: string) {
  const person = await web.signUp(email)
  const method = `pm_${person.userId}`
  await web.db.query(
    `insert into saved_card (user_id, provider, customer_ref, method_ref, brand, last4, fingerprint, consented_at,
       saved_at) values ($1, 'local', 'cus', $2, 'visa', '4242', $2, $3, $3)`,
    [person.userId, method, web.clock.now()],
  )
  await web.db.query(
    'update app_user set has_saved_payment_method = true, auto_topup_enabled = true where id = $1',
    [person.userId],
  )
  const remove = () => ask('DELETE', `${profileUrl}/saved-card`, person.token)
  return { ...person, method, remove }
}

test('a kept card is removed at the provider and here, and auto top-up is off', async () => {
  const { token, method, remove } = await withCard('card@example.com')
  const before = (await ask('GET', profileUrl, token)).json()
  expect(before).toMatchObject({ savedCard: { brand: 'visa', last4: '4242' }, autoTopUpEnabled: true })
  for (const _ of [1, 2]) {
    const removed = await remove()
    expect([removed.statusCode, removed.json()]).toEqual([
      200,
      { ...before, savedCard: null, autoTopUpEnabled: false },
    ])
  }
  expect(web.provider.forgotten.filter(ref => ref === method)).toHaveLength(1)
  const toggled = await ask('POST', '/api/payments/auto-topup-toggle', token, { autoTopUpEnabled: true })
  expect(toggled.statusCode).toBe(409)
})

test('keeps the card, uncharged, while the provider cannot be reached', async () => {
  const { token, method, remove } = await withCard('away@example.com')
  for (const away of ['before', 'after'] as const) {
    web.provider.away = away
    expect((await remove()).statusCode).toBe(503)
    expect((await ask('GET', profileUrl, token)).json()).toMatchObject({
      savedCard: { last4: '4242' },
      autoTopUpEnabled: false,
    })
  }
  web.provider.away = 'no'
  expect((await remove()).json()).toMatchObject({ savedCard: null })
  expect(web.provider.forgotten).toContain(method)
})

test('a card that a purchase keeps meanwhile stays', async () => {
  const { token, userId, remove } = await withCard('buyer@example.com')
  const { forgetCard } = web.provider
  web.provider.forgetCard = async card => {
    await web.db.query(`update saved_card set method_ref = 'pm_new', last4 = '1111' where user_id = $1`, [
      userId,
    ])
    return forgetCard(card)
  }
  const removed = await remove()
  web.provider.forgetCard = forgetCard
  expect(removed.json()).toMatchObject({ savedCard: { last4: '1111' } })
  expect((await ask('GET', profileUrl, token)).json()).toMatchObject({ savedCard: { last4: '1111' } })
})

test('notifies nobody of a charge that finds the card gone while its owner removes it', async () => {
  const email = 'in-flight@example.com'
  const { userId, method } = await withCard(email)
  const paymentId = web.services.random.uuid()
  const now = web.clock.now()
  await web.db.query(
    `insert into payment (id, user_id, kind, state, provider, amount, bonus, saves_card, express_request_at, created_at)
     values ($1, $2, 'auto_topup', 'open', 'local', 10000000, 0, false, $3, $3)`,
    [paymentId, userId, now],
  )
  await web.db.query(
    `insert into auto_topup_charge (payment_id, customer_ref, method_ref, try_at) values ($1, 'cus', $2, $3)`,
    [paymentId, method, now],
  )
  // Auto top-up is off by then, but the card is not yet deleted here.
  await web.db.query('update app_user set auto_topup_enabled = false where id = $1', [userId])
  const before = await mailsTo(email)
  const notice = await web.db.transaction(async tx => {
    const locked = await lockPayment(tx, paymentId)
    return locked && endFailedTopUp(tx, web.services, locked, 'card_gone')
  })
  expect(notice).toBeUndefined()
  expect(await mailsTo(email)).toEqual(before)
})
