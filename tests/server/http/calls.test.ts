import { expect, test } from 'vitest'
import { usdToMicroUsd } from '#lib/money/money.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())

const get = (url: string, token?: string) =>
  web.app.inject({ url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } })

async function give(email: string, usd: number) {
  const amountMicroUsd = usdToMicroUsd(usd)
  return creditAccount(web.services, {
    requestId: crypto.randomUUID(),
    email,
    amountMicroUsd,
    reason: 'a test',
    actor: 'test',
  })
}

test('rates: a country in any case, a number by its longest prefix, with or without an escaped plus', async () => {
  const us = { ourRate: 0.02, landline: 0.02, from: 0.02, freeMinutes: 5 }
  expect((await get('/api/rates/US')).json()).toMatchObject(us)
  expect((await get('/api/rates/us')).json()).toMatchObject(us)
  const number = { isoCode: 'US', ourRate: 0.02, freeMinutes: 5 }
  expect((await get('/api/rates/number/+12125550100')).json()).toMatchObject(number)
  expect((await get('/api/rates/number/%2B12125550100')).json()).toMatchObject(number)
  expect((await get('/api/rates/number/+442079460958')).json()).toMatchObject({
    isoCode: 'GB',
    kind: 'landline',
  })
})

test('rates: a number shown from outside the EEA adds to a call into it, and the answer says how much', async () => {
  const german = '/api/rates/number/+4915123456789'
  expect((await get(`${german}?from=%2B12125550199`)).json()).toMatchObject({
    ourRate: 0.289,
    surcharge: 0.266,
    freeMinutes: 1,
  })
  expect((await get(german)).json()).toMatchObject({ ourRate: 0.023, freeMinutes: 5 })
  expect((await get(`${german}?from=%2B46701740699`)).json()).not.toHaveProperty('surcharge')
  expect((await get(`${german}?from=me`)).statusCode).toBe(400)
})

test.each(['/api/rates/XX', '/api/rates/number/+88161234567', '/api/rates/number/abc'])(
  'a destination that we do not sell is 404 with a code: %s',
  async url => {
    const answer = await get(url)
    expect(answer.statusCode).toBe(404)
    expect(answer.json()).toEqual({
      error: { code: 'unsupported_destination', message: 'This destination is currently not supported.' },
    })
  },
)

test('the voice token: unverified, restricted, penniless and able users get the specified answers', async () => {
  const email = 'voice@example.com'
  const { token, userId } = await web.signUp(email)
  const ask = async () => {
    const answer = await get('/api/token', token)
    return [answer.statusCode, answer.json().reason ?? answer.json().token]
  }
  expect(await ask()).toEqual([200, 'simulated'])
  await web.db.query('update app_user set email_verified_at = null where id = $1', [userId])
  expect(await ask()).toEqual([403, 'email_unverified'])
  await web.db.query('update app_user set can_call = false where id = $1', [userId])
  expect(await ask()).toEqual([403, 'call_blocked'])
  await web.db.query(
    `update app_user set can_call = true, email_verified_at = $2, free_call = 'used' where id = $1`,
    [userId, web.clock.now()],
  )
  expect(await ask()).toEqual([402, 'no_credits'])
  await web.db.query(`update app_user set free_call = 'available' where id = $1`, [userId])
  const free = await connectCall(web.control, userId, '+12125550100')
  expect(await ask()).toEqual([200, 'simulated'])
  await free.end(1000)
  expect(await ask()).toEqual([402, 'no_credits'])
  await give(email, 1)
  expect(await ask()).toEqual([200, 'simulated'])
})

test('the history is newest first, in pages, and agrees with the ledger to the micro-dollar', async () => {
  const email = 'history@example.com'
  const { token, userId } = await web.signUp(email)
  await give(email, 10)
  await (await connectCall(web.control, userId, '+12125550100')).end(200_000)
  for (let call = 1; call <= 30; call += 1) {
    web.clock.advance(60_000)
    await (await connectCall(web.control, userId, '+442079460958')).end(call * 3000)
  }
  const { token: fresh } = (
    await web.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email, password: 'correct horse battery' },
    })
  ).json()
  const first = (await get('/api/calls', fresh)).json()
  expect(first.calls).toHaveLength(25)
  const second = (await get(`/api/calls?cursor=${first.nextCursor}`, fresh)).json()
  expect([second.calls.length, second.nextCursor]).toEqual([6, null])
  const all = [...first.calls, ...second.calls]
  expect(all[0]).toMatchObject({ to: '+442079460958', isoCode: 'GB', seconds: 90, minutesCharged: 2 })
  expect(all.at(-1)).toMatchObject({ to: '+12125550100', cost: 0, free: true })
  const spent = all.reduce((sum, { cost }) => sum + usdToMicroUsd(cost), 0)
  const [ledger] = await web.db.query<{ charged: number }>(
    `select sum(amount)::bigint as charged from transfer where call_id = any($1::uuid[]) and key not like '%:free'`,
    [all.map(({ id }) => id)],
  )
  expect(spent).toBe(ledger?.charged)
  expect((await get('/api/protected/me', fresh)).json().credits).toBe((10_000_000 - spent) / 1_000_000)
  expect((await get('/api/calls', token)).statusCode).toBe(401)
})

test.each(['/api/rates/number/%00', '/api/calls?cursor=%00'])(
  'rejects a character that no field of ours allows: %s',
  async url => {
    const { token } = await web.signUp(`nul-${url.split('/')[2]?.slice(0, 5)}@example.com`)
    expect((await get(url, token)).statusCode).toBe(400)
  },
)

test.each([
  'nonsense',
  '-271821-04-20T00:00:00Z 00000000-0000-0000-0000-000000000000',
  '0000-01-01T00:00:00Z x',
])('a cursor that cannot be read starts from the newest: %s', async cursor => {
  const { token } = await web.signUp(`cursor-${cursor.length}@example.com`)
  const encoded = Buffer.from(cursor).toString('base64url')
  expect((await get(`/api/calls?cursor=${encoded}`, token)).json()).toEqual({ calls: [], nextCursor: null })
})

test("another user's call is not found", async () => {
  const owner = await web.signUp('owner@example.com')
  const other = await web.signUp('other@example.com')
  const call = await connectCall(web.control, owner.userId, '+12125550100')
  await call.end(1000)
  expect((await get(`/api/calls/${call.callId}`, owner.token)).statusCode).toBe(200)
  expect((await get(`/api/calls/${call.callId}`, other.token)).statusCode).toBe(404)
  expect((await get('/api/calls/not-an-id', owner.token)).statusCode).toBe(404)
})

test.each([
  ['911', 'emergency_number'],
  ['+999', 'unsupported_destination'],
  ['hello', 'invalid_number'],
  ['', 'invalid_number'],
  ['+1212555010', 'invalid_number'],
  ['+881612345678', 'unsupported_destination'],
  ['+19005550100', 'unsupported_destination'],
  ['+447012345678', 'unsupported_destination'],
])('an attempt to call %j is rejected as %s and charges nothing', async (to, code) => {
  const email = `refused-${Math.abs(to.length)}-${code}-${to.replace(/\W/g, '')}@example.com`
  const { userId } = await web.signUp(email)
  expect(await web.control.place({ userId, to, callerId: undefined })).toMatchObject({ kind: 'refuse', code })
  expect(await web.db.query('select 1 from call where user_id = $1', [userId])).toEqual([])
})

test('an operator credits an account, once, audited; typing errors are rejected', async () => {
  const email = 'credited@example.com'
  const { userId } = await web.signUp(email)
  expect(await give(' Credited@Example.com ', 12.34)).toEqual({ ok: true, value: 12_340_000 })
  expect(await give(email, 0)).toEqual({ ok: false, code: 'invalid_amount' })
  expect(await give(email, 4001)).toEqual({ ok: false, code: 'invalid_amount' })
  expect(await give('nobody@example.com', 1)).toEqual({ ok: false, code: 'unknown_account' })
  const audit = await web.db.query('select actor, action, detail from audit_entry where subject = $1', [
    userId,
  ])
  expect(audit).toEqual([
    {
      actor: 'test',
      action: 'credit',
      detail: expect.objectContaining({ amountMicroUsd: 12_340_000, reason: 'a test' }),
    },
  ])
})

test('a browser gets one name at its first permission to call, and keeps it', async () => {
  const { token } = await web.signUp('named-browser@example.com')
  const ask = (cookie?: string) =>
    web.app.inject({
      url: '/api/token',
      headers: { authorization: `Bearer ${token}`, ...(cookie !== undefined && { cookie }) },
    })
  const [device] = (await ask()).cookies.filter(({ name }) => name === 'device')
  expect(device).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/' })
  const known = (await ask(`device=${device?.value}`)).cookies.filter(({ name }) => name === 'device')
  expect(known).toEqual([])
  const forged = (await ask('device=made-up')).cookies.filter(({ name }) => name === 'device')
  expect(forged).toHaveLength(1)
})
