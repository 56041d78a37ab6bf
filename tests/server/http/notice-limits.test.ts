import { expect, test } from 'vitest'
import { passwordChangedEmail } from '#server/accounts/password/password-emails.ts'
import { type Notice, queueNotice } from '#server/mail/queue-email.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'

const web = keepForFile(await createWeb())

const dayMs = 24 * 3600_000

/** Tells an owner so many times. @returns how many of them are mailed */
async function notify(email: string, userId: string, kind: Notice['kind'], count: number): Promise<number> {
  const template = () => passwordChangedEmail(web.services.publicUrl, 'changed')
  const queued = async () =>
    (await web.db.query('select 1 from job where key like $1', [`mail:${kind}:%`])).length
  const before = await queued()
  for (let nth = 0; nth < count; nth += 1) {
    const name = web.services.random.uuid()
    await web.db.transaction(tx => queueNotice(tx, web.services, { kind, userId, to: email, name, template }))
  }
  return (await queued()) - before
}

test('notices to one owner are twenty of a kind a day, however often they sign in', async () => {
  const email = 'often@example.com'
  const { userId } = await web.signUp(email)
  expect(await notify(email, userId, 'new-sign-in', 23)).toBe(20)
  // Each kind of notice is sent independently of the others.
  expect(await notify(email, userId, 'password-changed', 1)).toBe(1)
})

test('notices to one mailbox are thirty of a kind a day, whichever of its accounts they are about', async () => {
  const collected: number[] = []
  for (const email of ['two.boxes@gmail.com', 'twoboxes+2@gmail.com', 'two.boxes+3@googlemail.com']) {
    const { userId } = await web.signUp(email)
    collected.push(await notify(email, userId, 'new-sign-in', 20))
  }
  expect(collected).toEqual([20, 10, 0])
})

test('strangers who use up the notices of a day keep no owner from their first three of each kind', async () => {
  const email = 'first-notices@example.com'
  const { userId } = await web.signUp(email)
  await notify(email, userId, 'replay', 1)
  await web.db.query(
    `update budget_counter set used = max_used where kind = 'notice_mail' and scope = 'everyone' and ends_at > $1`,
    [web.clock.now()],
  )
  expect(await notify(email, userId, 'new-sign-in', 5)).toBe(3)
  expect(await notify(email, userId, 'password-changed', 5)).toBe(3)
  web.clock.advance(dayMs)
})

test('an unconfirmed address gets no notices, whatever is done with its account', async () => {
  const email = 'stranger+7@example.com'
  const home = '203.0.113.7'
  await web.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email, password },
    remoteAddress: home,
  })
  const logInWith = (userAgent: string, typed = password) =>
    web.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: typed },
      headers: { 'user-agent': userAgent },
      remoteAddress: home,
    })
  const subjects = async () =>
    (await web.readMails()).filter(({ to }) => to === email).map(({ subject }) => subject)
  const browsers = ['Chrome/130.0', 'Firefox/131.0'].map(name => `Mozilla/5.0 (X11; Linux x86_64) ${name}`)
  await logInWith(browsers[0] ?? '')
  const second = await logInWith(browsers[1] ?? '')
  expect(second.statusCode).toBe(200)
  const next = 'another battery staple'
  const changed = await web.app.inject({
    method: 'POST',
    url: '/api/protected/profile/password',
    payload: { current: password, next },
    headers: { authorization: `Bearer ${second.json().token}` },
    remoteAddress: home,
  })
  expect(changed.statusCode).toBe(204)
  expect(await subjects()).toEqual(['Confirm your e-mail for Farline'])
  await web.db.query('update app_user set email_verified_at = $2 where email = $1', [email, web.clock.now()])
  const third = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Firefox/131.0'
  expect((await logInWith(third, next)).statusCode).toBe(200)
  expect((await subjects())[0]).toBe('New login to your Farline account')
})
