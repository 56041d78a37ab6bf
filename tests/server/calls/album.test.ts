import { expect, test } from 'vitest'
import type { Album } from '#lib/api/album.ts'
import { dropCalls } from '#server/accounts/retention/drop-calls.ts'
import { creditAccount } from '#server/admin/credit-account.ts'
import { defaultCallPolicy } from '#server/config/policy.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb } from '#support/web.ts'

const web = keepForFile(await createWeb())

const american = '+12125550100'
const indian = '+919876543210'
const dayMs = 24 * 3600_000

async function newCaller(name: string) {
  const email = `${name}@example.com`
  const { token, userId } = await web.signUp(email)
  await web.db.query(`update app_user set free_call = 'used' where id = $1`, [userId])
  await creditAccount(web.services, {
    ...{ requestId: crypto.randomUUID(), email, amountMicroUsd: 10_000_000 },
    ...{ reason: 'a test', actor: 'test' },
  })
  const album = async (from = '2026-01-01T00:00:00.000Z'): Promise<Album> => {
    const answer = await web.app.inject({
      url: `/api/protected/album?from=${encodeURIComponent(from)}`,
      headers: { authorization: `Bearer ${token}` },
    })
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  const talk = async (to: string, answeredMs: number) => {
    const call = await connectCall(web.control, userId, to)
    await call.end(answeredMs)
    web.clock.advance(answeredMs + 1000)
    return call.callId
  }
  return { userId, token, album, talk }
}

test('the first answered call to a country is its stamp, and later ones add their minutes', async () => {
  const caller = await newCaller('album')
  const stranger = await newCaller('album-stranger')
  expect(await caller.album()).toEqual({ countries: [], year: { countries: 0, minutes: 0, spent: 0 } })

  const first = web.clock.now().toISOString()
  await caller.talk(american, 61_000)
  const second = web.clock.now().toISOString()
  await caller.talk(indian, 30_000)
  await caller.talk(american, 30_000)

  const { countries, year } = await caller.album()
  expect(countries).toEqual([
    { isoCode: 'IN', firstAnsweredAt: second, calls: 1, minutes: 1, ratePerMinute: expect.any(Number) },
    { isoCode: 'US', firstAnsweredAt: first, calls: 2, minutes: 3, ratePerMinute: 0.02 },
  ])
  const indianRate = countries[0]?.ratePerMinute ?? 0
  expect(year).toMatchObject({ countries: 2, minutes: 4 })
  expect(year.spent).toBeCloseTo(0.06 + indianRate, 6)
  expect(await stranger.album()).toMatchObject({ countries: [], year: { minutes: 0 } })
})

test('a call that nobody answers, and a test call, cancel no stamp', async () => {
  const caller = await newCaller('no-stamp')
  const placed = await web.control.place({ userId: caller.userId, to: indian, callerId: undefined })
  if (placed.kind === 'refuse') throw new Error(placed.message)
  await web.control.report({ kind: 'ended', callId: placed.callId, answeredMs: null, end: 'no_answer' })

  const own = '+12125550177'
  await web.db.query('insert into caller_id values ($1, $2, $3)', [caller.userId, own, web.clock.now()])
  const tested = await web.control.place({
    ...{ userId: caller.userId, to: own, callerId: undefined, purpose: 'test' },
  })
  if (tested.kind === 'refuse') throw new Error(tested.message)
  await web.control.report({ kind: 'answered', callId: tested.callId })
  await web.control.report({
    ...{ kind: 'ended', callId: tested.callId, answeredMs: 20_000, end: 'caller_hung_up' },
  })
  expect(await caller.album()).toEqual({ countries: [], year: { countries: 0, minutes: 0, spent: 0 } })
})

test('the year begins where its reader is, and leaves out what was refunded', async () => {
  const caller = await newCaller('year')
  const callId = await caller.talk(american, 61_000)
  const [{ placed_at: placedAt } = { placed_at: new Date() }] = await web.db.query<{ placed_at: Date }>(
    'select placed_at from call where id = $1',
    [callId],
  )
  const after = new Date(placedAt.getTime() + 1).toISOString()
  expect((await caller.album(placedAt.toISOString())).year).toEqual({ countries: 1, minutes: 2, spent: 0.04 })
  expect(await caller.album(after)).toMatchObject({
    countries: [{ isoCode: 'US' }],
    year: { countries: 0, minutes: 0, spent: 0 },
  })

  const bad = await caller.talk(american, 61_000)
  const claimed = await web.app.inject({
    ...{ method: 'POST', url: `/api/calls/${bad}/claim`, payload: { issue: 'echo' } },
    headers: { authorization: `Bearer ${caller.token}` },
  })
  expect(claimed.json()).toEqual({ credited: 0.04 })
  expect((await caller.album()).year).toEqual({ countries: 1, minutes: 4, spent: 0.04 })
})

test('a stamp outlives the record of its call', async () => {
  const caller = await newCaller('kept-stamp')
  await caller.talk(american, 30_000)
  const { countries } = await caller.album()
  web.clock.advance((defaultCallPolicy.callRecordsDays + 1) * dayMs)
  expect(await dropCalls({ ...web.services, policy: defaultCallPolicy })).toBeGreaterThan(0)
  const { userId } = caller
  expect(await web.db.query('select 1 as one from call where user_id = $1', [userId])).toEqual([])
  expect(
    await web.db.query('select iso_code, calls from called_country where user_id = $1', [userId]),
  ).toEqual([{ iso_code: 'US', calls: 1 }])
  expect(countries).toHaveLength(1)
})

test('the migration finds the stamps of calls made before it', async () => {
  const caller = await newCaller('before')
  await caller.talk(american, 61_000)
  await caller.talk(american, 30_000)
  await caller.talk(indian, 30_000)
  const read = () =>
    web.db.query('select * from called_country where user_id = $1 order by iso_code', [caller.userId])
  const written = await read()
  await web.db.query('delete from called_country')
  await web.db.query(await backfill())
  expect(await read()).toEqual(written)
})

async function backfill(): Promise<string> {
  const { readFile } = await import('node:fs/promises')
  const file = await readFile('server/db/migrations/0049_called_countries.sql', 'utf8')
  return file.slice(file.lastIndexOf('insert into called_country')).replace(/;\s*$/, '')
}
