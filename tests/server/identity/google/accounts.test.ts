import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { linkToken, password } from '#support/web.ts'
import { createGoogleWorld } from './google-world.ts'

const world = keepForFile(await createGoogleWorld())

const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  world.app.inject({ method: 'POST', url, payload, headers })
const problemOf = ({ address }: { address: URL }) => address.searchParams.get('problem')
const noticeOf = ({ address }: { address: URL }) => address.searchParams.get('told')
const mailsTo = async (email: string) => (await world.readMails()).filter(({ to }) => to === email)
const countOf = async (email: string) =>
  (await world.db.query('select id from app_user where email = $1', [email])).length

test('a new user has a confirmed account without a password, and no e-mail to read', async () => {
  const email = 'new@example.com'
  const back = await world.signIn({ email: 'New@Example.com' })
  expect(await world.me(back)).toMatchObject({ email, email_verified: true, can_call: true })
  const [user] = await world.db.query('select password_hash from app_user where email = $1', [email])
  expect(user).toEqual({ password_hash: null })
  expect((await post('/api/auth/login', { email, password: '' })).statusCode).toBe(401)
  expect(await mailsTo(email)).toEqual([])
})

test('the subject decides, whatever happens to the address there or here', async () => {
  const first = await world.me(await world.signIn({ email: 'before@example.com', subject: '1001' }))
  const later = await world.signIn({ email: 'after@example.com', subject: '1001' })
  expect(await world.me(later)).toMatchObject({ id: first?.id, email: 'before@example.com' })
  const unconfirmed = await world.signIn({ email: 'after@example.com', subject: '1001', verified: false })
  expect(await world.me(unconfirmed)).toMatchObject({ id: first?.id })
  const somebodyElse = await world.me(await world.signIn({ email: 'after@example.com', subject: '1002' }))
  expect(somebodyElse?.id).not.toBe(first?.id)
})

test('an address that Google has not confirmed opens no account and creates none', async () => {
  await world.signUp('taken@example.com')
  for (const email of ['taken@example.com', 'unseen@example.com']) {
    const back = await world.signIn({ email, verified: false })
    expect(problemOf(back)).toBe('google_unverified')
    expect(back.cookies.refresh).toBeUndefined()
  }
  expect(await countOf('unseen@example.com')).toBe(0)
})

test('links an account whose address is confirmed, keeps its password, and notifies its owner', async () => {
  const email = 'both@example.com'
  const { userId } = await world.signUp(email)
  const back = await world.signIn({ email })
  expect([noticeOf(back), (await world.me(back))?.id]).toEqual(['linked', userId])
  expect(noticeOf(await world.signIn({ email }))).toBeNull()
  expect((await post('/api/auth/login', { email, password })).statusCode).toBe(200)
  const linked = (await mailsTo(email)).filter(({ subject }) => subject.startsWith('You can now log in'))
  expect(linked).toHaveLength(1)
})

test('a user who registered the address first and never confirmed it gets nothing of the owner’s account', async () => {
  const email = 'victim@example.com'
  await post('/api/auth/register', { email, password: 'the strangers password' })
  const mailed = linkToken((await mailsTo(email))[0])
  await post('/api/auth/forgot-password', { email })
  const stranger = await post('/api/auth/login', { email, password: 'the strangers password' })
  const authorization = `Bearer ${stranger.json().token}`
  const refresh = `refresh=${stranger.cookies.find(({ name }) => name === 'refresh')?.value}`
  const [trap] = await world.db.query<{ id: string }>('select id from app_user where email = $1', [email])
  const id = trap?.id ?? ''
  const at = world.clock.now()
  await world.db.query(
    `insert into contact (id, user_id, name, phone_number, dial_code, iso_code, created_at)
     values ($1, $2, 'Mum', '+12125550100', '+1', 'US', $3)`,
    [world.services.random.uuid(), id, at],
  )
  await world.db.query(`insert into caller_id values ($1, '+12125550100', $2)`, [id, at])
  await world.db.query(`update app_user set name = 'Mallory', auto_topup_enabled = true where id = $1`, [id])

  const back = await world.signIn({ email })
  expect(noticeOf(back)).toBe('set_aside')
  const me = await world.me(back)
  expect(me).toMatchObject({ email, email_verified: true, auto_topup_enabled: false })

  expect((await post('/api/auth/login', { email, password: 'the strangers password' })).statusCode).toBe(401)
  expect((await post('/api/auth/refresh-token', {}, { cookie: refresh })).statusCode).toBe(401)
  const spied = await world.app.inject({ url: '/api/protected/me', headers: { authorization } })
  expect(spied.statusCode).toBe(401)
  expect((await post('/api/auth/verify-email', { token: mailed })).statusCode).toBe(410)
  const left = await world.db.query(
    `select name, password_hash,
       (select count(*)::int from contact where user_id = app_user.id) as contacts,
       (select count(*)::int from caller_id where user_id = app_user.id) as caller_ids,
       (select count(*)::int from password_reset where user_id = app_user.id and used_at is null) as resets
     from app_user where email = $1`,
    [email],
  )
  expect(left).toEqual([{ name: null, password_hash: null, contacts: 0, caller_ids: 0, resets: 0 }])
  const mails = (await mailsTo(email)).filter(({ subject }) => subject.endsWith('is yours alone'))
  expect(mails).toHaveLength(1)
  expect(noticeOf(await world.signIn({ email }))).toBeNull()
})

test('the referral link of a new account counts, and of one that was there it does not', async () => {
  const owner = await world.signUp('referrer@example.com')
  await world.db.query(`update app_user set referral_code = 'abcdefgh' where id = $1`, [owner.userId])
  const came = await world.me(await world.signIn({ email: 'came@example.com', referralId: 'abcdefgh' }))
  await world.signUp('was-here@example.com')
  await world.signIn({ email: 'was-here@example.com', referralId: 'abcdefgh' })
  const rows = await world.db.query('select referee_id from referral where referrer_id = $1', [owner.userId])
  expect(rows).toEqual([{ referee_id: came?.id }])
})

test('a user who may not call signs in and reads why, as with a password', async () => {
  const email = 'blocked@example.com'
  await world.signIn({ email })
  await world.db.query(
    `update app_user set can_call = false, blocked_reason = 'Too many complaints' where email = $1`,
    [email],
  )
  const back = await world.signIn({ email })
  expect(await world.me(back)).toMatchObject({ can_call: false, blocked_reason: 'Too many complaints' })
})

test.each([
  ['somebody new', async () => {}],
  ['an account that was there', async (email: string) => void (await world.signUp(email))],
  [
    'one that was never confirmed',
    async (email: string) => void (await post('/api/auth/register', { email, password })),
  ],
])('two sign-ins at once are one person with one account: %s', async (what, prepare) => {
  const email = `${what.replaceAll(' ', '-')}@example.com`
  await prepare(email)
  const before = (await mailsTo(email)).length
  const begun = await Promise.all([world.begin(), world.begin(), world.begin()])
  const back = await Promise.all(
    begun.map(visit => world.comeBack(world.choose(visit, { email }), visit.cookies)),
  )
  const ids = new Set<unknown>()
  for (const visit of back) ids.add((await world.me(visit))?.id)
  expect([ids.size, ids.has(undefined), await countOf(email)]).toEqual([1, false, 1])
  expect(back.filter(visit => noticeOf(visit) !== null).length).toBe(what === 'somebody new' ? 0 : 1)
  expect((await mailsTo(email)).length - before).toBe(what === 'somebody new' ? 0 : 1)
})
