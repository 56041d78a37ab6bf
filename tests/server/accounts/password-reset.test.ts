import { expect, test } from 'vitest'
import { forgotPassword } from '#server/accounts/password/password-reset.ts'
import { resendVerification } from '#server/accounts/registration/register.ts'
import { failAt } from '#support/failpoint.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password, readRefreshCookie } from '#support/web.ts'
import { newestToken } from './emails.ts'

const web = keepForFile(await createWeb())

const next = 'another battery staple'

const post = (url: string, payload?: object, headers: Record<string, string> = {}) =>
  web.app.inject({ method: 'POST', url, headers, ...(payload === undefined ? {} : { payload }) })
const login = (email: string, word: string) => post('/api/auth/login', { email, password: word })
const me = (token: string) =>
  web.app.inject({ url: '/api/protected/me', headers: { authorization: `Bearer ${token}` } })
const mailsTo = async (email: string) => (await web.readMails()).filter(({ to }) => to === email)

/** Somebody registers, and saves a contact and a name before the address is confirmed. */
async function begin(email: string, word: string, referralId?: string): Promise<string> {
  await post('/api/auth/register', { email, password: word, referralId })
  const { token } = (await login(email, word)).json()
  const headers = { authorization: `Bearer ${token}` }
  await post('/api/protected/profile/name', { name: 'Mallory' }, headers)
  const contact = { name: 'Mum', phone_number: '+12125550100', dial_code: '+1', iso_code: 'US' }
  await post('/api/contacts', contact, headers)
  return token
}
async function saved(email: string) {
  const [row] = await web.db.query(
    `select name, (select count(*)::int from contact where user_id = app_user.id) as contacts,
       email_verified_at is not null as confirmed from app_user where email = $1`,
    [email],
  )
  return row
}
const nothing = { name: null, contacts: 0, confirmed: true }
const setAside = async (email: string) =>
  (await mailsTo(email)).filter(({ subject }) => subject.endsWith('is yours alone'))

/** Asks for a link, and gives its token. */
async function askLink(email: string): Promise<string> {
  web.clock.advance(61_000)
  expect((await post('/api/auth/forgot-password', { email })).statusCode).toBe(202)
  return newestToken(await mailsTo(email), 'reset')
}

const reset = (token: string, word = next) => post('/api/auth/reset-password', { token, password: word })

test('a forgotten password is reset by a mailed link, once, which signs in', async () => {
  const email = 'forgetful@example.com'
  const before = await web.signUp(email)
  const token = await askLink(email)
  const [mail] = await mailsTo(email)
  expect(mail?.subject).toBe('Choose a new Farline password')
  expect((await post('/api/auth/reset-password/check', { token })).statusCode).toBe(200)

  const done = await reset(token)
  expect(done.statusCode).toBe(200)
  expect((await me(done.json().token)).json()).toMatchObject({ email })
  const cookie = readRefreshCookie(done.headers['set-cookie'])
  expect((await post('/api/auth/refresh-token', undefined, { cookie })).statusCode).toBe(200)

  expect((await post('/api/auth/refresh-token', undefined, { cookie: before.cookie })).statusCode).toBe(401)
  expect((await login(email, password)).statusCode).toBe(401)
  expect((await login(email, next)).statusCode).toBe(200)
  expect((await mailsTo(email)).filter(({ subject }) => subject.includes('new password'))).toHaveLength(1)

  for (const url of ['/api/auth/reset-password/check', '/api/auth/reset-password']) {
    const again = await post(url, { token, password: next })
    expect([again.statusCode, again.json().error.code]).toEqual([410, 'link_expired'])
  }
})

test('a link works for 30 minutes', async () => {
  const email = 'slow@example.com'
  await web.signUp(email)
  const token = await askLink(email)
  web.clock.advance(30 * 60_000 - 1)
  expect((await post('/api/auth/reset-password/check', { token })).statusCode).toBe(200)
  web.clock.advance(1)
  expect((await post('/api/auth/reset-password/check', { token })).statusCode).toBe(410)
  expect((await reset(token)).statusCode).toBe(410)
  expect((await login(email, password)).statusCode).toBe(200)
})

test('a reset makes the other links void that were mailed before', async () => {
  const email = 'impatient@example.com'
  await web.signUp(email)
  const first = await askLink(email)
  const second = await askLink(email)
  expect((await reset(first)).statusCode).toBe(200)
  expect((await reset(second, 'a third one of mine')).statusCode).toBe(410)
})

test('rejects a common password beside its field, and uses nothing up', async () => {
  const email = 'simple@example.com'
  await web.signUp(email)
  const token = await askLink(email)
  const refused = await reset(token, 'password123')
  expect([refused.statusCode, refused.json().errors?.[0]?.field]).toEqual([400, 'password'])
  expect((await reset(token)).statusCode).toBe(200)
})

test('an account that was never confirmed is confirmed by it, and whoever registered it first is out', async () => {
  const email = 'taken-first@example.com'
  await post('/api/auth/register', { email, password: 'the squatters password' })
  const squatter = await login(email, 'the squatters password')
  const confirmation = newestToken(await mailsTo(email), 'confirm')
  const done = await reset(await askLink(email))
  expect((await me(done.json().token)).json()).toMatchObject({ email_verified: true })
  const cookie = readRefreshCookie(squatter.headers['set-cookie'])
  expect((await post('/api/auth/refresh-token', undefined, { cookie })).statusCode).toBe(401)
  expect((await post('/api/auth/verify-email', { token: confirmation })).statusCode).toBe(410)
  expect((await login(email, 'the squatters password')).statusCode).toBe(401)
})

test('the link that brought somebody counts when a reset confirms their address', async () => {
  const { userId } = await web.signUp('referrer@example.com')
  await web.db.query(`update app_user set referral_code = 'abcd2345' where id = $1`, [userId])
  const email = 'referred@example.com'
  await post('/api/auth/register', { email, password, referralId: 'abcd2345' })
  await reset(await askLink(email))
  const referrals = await web.db.query(
    `select 1 from referral join app_user on app_user.id = referee_id
     where email = $1 and referrer_id = $2`,
    [email, userId],
  )
  expect(referrals).toHaveLength(1)
})

test('an account without a password gets one by it', async () => {
  const email = 'google-only@example.com'
  const { userId } = await web.signUp(email)
  await web.db.query('update app_user set password_hash = null where id = $1', [userId])
  expect((await login(email, password)).statusCode).toBe(401)
  expect((await reset(await askLink(email))).statusCode).toBe(200)
  expect((await login(email, next)).statusCode).toBe(200)
})

test('an address without an account gets the same answer and no mail', async () => {
  const known = 'known@example.com'
  await web.signUp(known)
  const answers = await Promise.all(
    [known, 'stranger@example.com'].map(email => post('/api/auth/forgot-password', { email })),
  )
  expect(answers.map(({ statusCode, body }) => [statusCode, body])).toEqual(Array(2).fill([202, '{}']))
  expect(await mailsTo(known)).toHaveLength(2)
  expect(await mailsTo('stranger@example.com')).toEqual([])
})

test('requesting an e-mail is the same work whether or not the address has an account, and leaves no trace', async () => {
  const waiting = 'waiting@example.com'
  const confirmed = 'confirmed@example.com'
  const disputed = 'disputed@example.com'
  await post('/api/auth/register', { email: waiting, password })
  for (const word of [password, next]) await post('/api/auth/register', { email: disputed, password: word })
  await web.signUp(confirmed)
  const counts = async () =>
    Promise.all(
      ['password_reset', 'email_confirmation', 'job'].map(async table => {
        const [row] = await web.db.query<{ count: number }>(`select count(*)::int as count from ${table}`)
        return row?.count
      }),
    )
  for (const [ask, known, unknown] of [
    [forgotPassword, confirmed, 'nobody@example.com'],
    [resendVerification, waiting, 'nobody@example.com'],
    [resendVerification, waiting, confirmed],
    [resendVerification, disputed, confirmed],
  ] as const) {
    const [forKnown, forUnknown] = [failAt(web.db, 0, 'before'), failAt(web.db, 0, 'before')]
    await ask({ ...web.services, db: forKnown.db }, known)
    const before = await counts()
    await ask({ ...web.services, db: forUnknown.db }, unknown)
    expect(await counts()).toEqual(before)
    expect(forUnknown.count()).toBe(forKnown.count())
  }
})

test('whoever chooses another password than the account was begun with finds nothing that was saved there', async () => {
  const [byReset, byConfirming] = ['begun-reset@example.com', 'begun-confirm@example.com']
  for (const email of [byReset, byConfirming]) {
    await begin(email, 'the squatters password')
    expect(await saved(email)).toEqual({ name: 'Mallory', contacts: 1, confirmed: false })
  }
  expect((await reset(await askLink(byReset))).statusCode).toBe(200)

  await post('/api/auth/register', { email: byConfirming, password })
  const token = newestToken(await mailsTo(byConfirming), 'confirm')
  expect((await post('/api/auth/verify-email', { token })).statusCode).toBe(200)
  expect((await post('/api/auth/verify-email', { token })).statusCode).toBe(410)

  for (const [email, own] of [
    [byReset, next],
    [byConfirming, password],
  ] as const) {
    expect(await saved(email)).toEqual(nothing)
    expect((await login(email, 'the squatters password')).statusCode).toBe(401)
    expect((await login(email, own)).statusCode).toBe(200)
    const [asideMail, ...more] = await setAside(email)
    expect(asideMail?.text).toContain('You log in with the password you chose when you confirmed it.')
    expect(more).toEqual([])
  }
})

test('whoever began the account and chooses the same password again keeps what they saved', async () => {
  const email = 'same-again@example.com'
  await begin(email, password)
  expect((await reset(await askLink(email), password)).statusCode).toBe(200)
  expect(await saved(email)).toEqual({ name: 'Mallory', contacts: 1, confirmed: true })
  expect(await setAside(email)).toEqual([])
})

test('a password chosen anew later takes nothing away', async () => {
  const email = 'confirmed-before@example.com'
  const token = await begin(email, password)
  await post('/api/auth/verify-email', { token: newestToken(await mailsTo(email), 'confirm') })
  expect((await me(token)).statusCode).toBe(200)
  expect((await reset(await askLink(email))).statusCode).toBe(200)
  expect(await saved(email)).toEqual({ name: 'Mallory', contacts: 1, confirmed: true })
})

test.each([
  ['the owner first', 'bcdf2345'],
  ['the stranger first', 'bcdf2346'],
])(
  'an e-mail requested again confirms no password that another person may have chosen: %s',
  async (order, code) => {
    const email = `${order.replaceAll(' ', '-')}@example.com`
    const { userId } = await web.signUp(`friend-of-${email}`)
    await web.db.query('update app_user set referral_code = $2 where id = $1', [userId, code])
    const people = [[password], ['the squatters password', code]] as const
    for (const [word, referralId] of order === 'the owner first' ? people : people.toReversed())
      await begin(email, word, referralId)
    web.clock.advance(61_000)
    const before = (await mailsTo(email)).length
    expect((await post('/api/auth/resend-verification', { email })).statusCode).toBe(202)
    const [mail, ...older] = await mailsTo(email)
    expect(older).toHaveLength(before)
    expect(mail?.text).toContain('registered for Farline more than once')
    expect(mail?.text).not.toContain('/verify-email')

    expect((await reset(newestToken(mail === undefined ? [] : [mail], 'reset'))).statusCode).toBe(200)
    expect(await saved(email)).toEqual(nothing)
    for (const word of [password, 'the squatters password'])
      expect((await login(email, word)).statusCode).toBe(401)
    expect((await login(email, next)).statusCode).toBe(200)
    expect(await web.db.query('select 1 from referral where referrer_id = $1', [userId])).toEqual([])
  },
)

test('an e-mail requested again by the only person who registered confirms as the first one did', async () => {
  const email = 'alone@example.com'
  await begin(email, password)
  for (let turn = 0; turn < 2; turn += 1) {
    web.clock.advance(61_000)
    await post('/api/auth/resend-verification', { email })
  }
  const [mail] = await mailsTo(email)
  const token = newestToken(mail === undefined ? [] : [mail], 'confirm')
  expect((await post('/api/auth/verify-email', { token })).statusCode).toBe(200)
  expect(await saved(email)).toEqual({ name: 'Mallory', contacts: 1, confirmed: true })
  expect((await login(email, password)).statusCode).toBe(200)
})
