import { expect, test } from 'vitest'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import { keepForFile } from '#support/file-world.ts'
import { addStrangers } from '#support/strangers.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())

const ask = (token?: string, remoteAddress = '192.0.2.1') =>
  web.app.inject({
    method: 'POST',
    url: '/api/line-check',
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
    remoteAddress,
  })

test('checks a line without credits, but never for a visitor or for a blocked user', async () => {
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

const boundOf = (per: string) => {
  const bound = defaultBudgets.line_check.find(one => one.per === per)
  if (bound === undefined || !('maxUses' in bound)) throw new Error('no such bound')
  return bound.maxUses
}

test('an account that never paid checks its line ten times in a day, many at once too, then reads how long to wait', async () => {
  const { token, userId } = await web.signUp('often@example.com')
  const other = await web.signUp('seldom@example.com')
  expect((await ask(token)).statusCode).toBe(200)
  const admitted = await Promise.all(Array.from({ length: 25 }, () => web.control.admitLineCheck(userId)))
  expect(admitted.filter(Boolean)).toHaveLength(10)
  const refused = await ask(token)
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, String(24 * 3600)])
  expect(refused.json().error.message).toBe(
    "You've checked your line many times. Wait 24 hours and try again.",
  )
  expect([
    (await ask(other.token, '192.0.2.2')).statusCode,
    await web.control.admitLineCheck(other.userId),
  ]).toEqual([200, true])
  web.clock.advance(24 * 3600_000)
  expect(await web.control.admitLineCheck(userId)).toBe(true)
})

test('accounts in one place check their lines together so many times in a day, by /64 and by /48', async () => {
  const perAddress = boundOf('address') + 5
  const inOneNetwork = await addStrangers(web, boundOf('network') + 10, nth => ({
    email: `checker-${nth}@example.com`,
    address: nth < perAddress ? `2001:db8:1:1::${nth + 1}` : `2001:db8:1:${nth}::1`,
  }))
  const admitted = await Promise.all(inOneNetwork.map(({ id }) => web.control.admitLineCheck(id)))
  expect(admitted.slice(0, perAddress).filter(Boolean)).toHaveLength(boundOf('address'))
  expect(admitted.filter(Boolean)).toHaveLength(boundOf('network'))
  const [neighbour] = await addStrangers(web, 1, () => ({
    email: 'neighbour@example.com',
    address: '2001:db8:2::1',
  }))
  expect(await web.control.admitLineCheck(neighbour?.id ?? '')).toBe(true)
})

test('whoever checks the line of this very machine meets no limit', async () => {
  const { token, userId } = await web.signUp('at-home@example.com')
  expect((await ask(token, '127.0.0.1')).statusCode).toBe(200)
  for (let time = 0; time < 30; time += 1) expect(await web.control.admitLineCheck(userId)).toBe(true)
  expect((await ask(token, '127.0.0.1')).statusCode).toBe(200)
})
