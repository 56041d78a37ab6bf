import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineCheckLimit } from '#server/policy.ts'
import { createWeb, type Web } from '#support/web.ts'

let web: Web
beforeAll(async () => {
  web = await createWeb()
})
afterAll(() => web.close())

const ask = (token?: string) =>
  web.app.inject({
    method: 'POST',
    url: '/api/line-check',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  })

test('a line is checked without credits, never by a visitor, and by nobody who may not call', async () => {
  const { token, userId } = await web.signUp('check@example.com')
  await web.db.query(`update app_user set free_call = 'used' where id = $1`, [userId])
  expect((await ask()).statusCode).toBe(401)
  const given = await ask(token)
  expect([given.statusCode, given.json().route]).toEqual([200, { kind: 'exchange', path: '/exchange' }])
  const origins = await web.db.query('select 1 from caller_origin where user_id = $1', [userId])
  expect(origins).toHaveLength(1)
  await web.db.query('update app_user set can_call = false where id = $1', [userId])
  expect([(await ask(token)).statusCode, await web.control.admitLineCheck(userId)]).toEqual([403, false])
  await web.db.query('update app_user set can_call = true, email_verified_at = null where id = $1', [userId])
  expect((await ask(token)).json().error.code).toBe('email_unverified')
  expect(await web.db.query('select 1 from call')).toEqual([])
})

test('tokens and checks are limited by the hour, each user for themselves, and many at once', async () => {
  const { token, userId } = await web.signUp('often@example.com')
  const other = await web.signUp('seldom@example.com')
  const answers = await Promise.all(Array.from({ length: lineCheckLimit.most + 3 }, () => ask(token)))
  expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(lineCheckLimit.most)
  const refused = answers.find(({ statusCode }) => statusCode === 429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(3000)
  const admitted = await Promise.all(
    Array.from({ length: lineCheckLimit.most + 3 }, () => web.control.admitLineCheck(userId)),
  )
  expect(admitted.filter(Boolean)).toHaveLength(lineCheckLimit.most)
  expect([(await ask(other.token)).statusCode, await web.control.admitLineCheck(other.userId)]).toEqual([
    200,
    true,
  ])
  web.clock.advance(lineCheckLimit.windowSeconds * 1000 + 1000)
  expect(await web.control.admitLineCheck(userId)).toBe(true)
})
