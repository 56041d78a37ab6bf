import type { ServerResponse } from 'node:http'
import { unzipSync } from 'fflate'
import { expect, test } from 'vitest'
import { exportData } from '#server/accounts/export/export-data.ts'
import { exportTexts } from '#server/accounts/export/export-texts.ts'
import { exportTables } from '#server/accounts/export/tables.ts'
import { keepForFile } from '#support/file-world.ts'
import { connectCall } from '#support/simulated-network.ts'
import { createWeb } from '#support/web.ts'
import { deliver, order } from '../payments/buyer.ts'

const web = keepForFile(await createWeb())

const askFor = (token: string) =>
  web.app.inject({ url: '/api/protected/export', headers: { authorization: `Bearer ${token}` } })

function filesOf(zip: Uint8Array): Record<string, string> {
  return Object.fromEntries(
    Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
  )
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

const json = (files: Record<string, string>, name: string) => JSON.parse(files[`${name}.json`] ?? '')

/** Two who have one of everything, so that what belongs to the other would be seen. */
async function newPerson(email: string) {
  const { token, userId } = await web.signUp(email)
  const ask = (url: string, payload?: object) =>
    web.app.inject({
      method: payload === undefined ? 'GET' : 'POST',
      url,
      headers: { authorization: `Bearer ${token}`, 'user-agent': firefox },
      ...(payload !== undefined && { payload }),
    })
  const name = `=cmd|' /C calc'!A0 of ${email}`
  const number = { phone_number: '+12125550100', dial_code: '+1', iso_code: 'US' }
  await ask('/api/contacts', { name, ...number, notes: `written by ${email}` })
  await web.db.query(`insert into caller_id values ($1, '+12125550199', $2)`, [userId, web.clock.now()])
  const bought = await order(web, userId, 50, true)
  await deliver(web, bought.paid())
  await deliver(web, bought.refund(5))
  web.clock.advance(1000)
  await web.db.query(`update app_user set free_call = 'used' where id = $1`, [userId])
  await ask('/api/token')
  const [session] = await web.db.query<{ id: string }>('select id from session where user_id = $1', [userId])
  const call = await connectCall(web.control, userId, '+12125550100', session?.id)
  await call.end(61_000)
  await ask('/api/protected/spending/caps', { perCall: 0.5, perMonth: null })
  await ask('/api/protected/spending/locked', { lock: ['IN', 'CU'], unlock: [] })
  await ask('/api/feedback', { score: 5, comment: `said by ${email}`, callId: call.callId })
  await ask('/api/referrals')
  return { token, userId, email, name, bought, callId: call.callId }
}

test('exports everything that is kept about a user as JSON and as CSV, and nothing of others', async () => {
  const other = await newPerson('other@example.com')
  const person = await newPerson('owner@example.com')
  await web.db.query('insert into referral (referee_id, referrer_id, joined_at) values ($1, $2, $3)', [
    other.userId,
    person.userId,
    web.clock.now(),
  ])
  const answer = await askFor(person.token)
  expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/zip'])
  expect(answer.headers['content-disposition']).toBe('attachment; filename="farline-data-2026-03-01.zip"')
  expect(answer.headers['cache-control']).toBe('no-store')
  const files = filesOf(answer.rawPayload)
  expect(Object.keys(files)).toEqual([
    'README.txt',
    ...exportTables().flatMap(({ name }) => [`${name}.json`, `${name}.csv`]),
  ])
  expect(json(files, 'account')).toMatchObject([
    { id: person.userId, email: person.email, has_password: true, saved_card_last4: '4242' },
  ])
  const browser = { engine: 'firefox', engine_version: 143, system: 'linux' }
  expect(json(files, 'devices')).toMatchObject([{ signed_in_now: true, ...browser }])
  expect(json(files, 'contacts')).toMatchObject([
    { name: person.name, phone_number: '+12125550100', notes: `written by ${person.email}` },
  ])
  expect(json(files, 'caller-ids')).toMatchObject([{ phone_number: '+12125550199' }])
  expect(json(files, 'calls')).toMatchObject([
    {
      id: person.callId,
      to: '+12125550100',
      talked_seconds: 61,
      minutes_charged: 2,
      cost_usd: 0.04,
      cost_micro_usd: 40_000,
      ...browser,
    },
  ])
  expect(json(files, 'called-countries')).toMatchObject([{ country: 'US', calls: 1, minutes: 2 }])
  const credits = json(files, 'credits')
  expect(credits.at(-1)).toMatchObject({ kind: 'payment', amount_usd: 50, payment_id: person.bought.id })
  expect(credits[0].balance_after_usd).toBe(json(files, 'account')[0].balance_usd)
  expect(json(files, 'payments')).toMatchObject([{ amount_usd: 50, refunded_usd: 5, card_last4: '4242' }])
  expect(json(files, 'payments')[0].receipt).toMatch(/^F-2026-\d{4}$/)
  expect(json(files, 'refunds')).toMatchObject([{ kind: 'refund', amount_usd: 5, state: 'succeeded' }])
  expect(json(files, 'referrals')).toMatchObject([
    { email: 'o•••@e•••.com', state: 'pending', due_at: expect.stringContaining('Z') },
  ])
  expect(json(files, 'spending')).toMatchObject([{ per_call_usd: 0.5, per_month_usd: null, locked: 'CU IN' }])
  expect(json(files, 'feedback')).toMatchObject([{ score: 5, comment: `said by ${person.email}` }])

  const everything = Object.values(files).join('\n')
  for (const foreign of [other.userId, other.email, other.callId, other.bought.id]) {
    expect(everything).not.toContain(foreign)
  }
  const secrets = await web.db.query<{ secret: string }>(
    `select password_hash as secret from app_user where id = $1
     union select encode(hash, 'hex') from refresh_token where user_id = $1
     union select customer_ref from saved_card where user_id = $1
     union select method_ref from saved_card where user_id = $1
     union select fingerprint from saved_card where user_id = $1`,
    [person.userId],
  )
  expect(secrets).toHaveLength(5)
  for (const { secret } of secrets) expect(everything).not.toContain(secret)
})

test('each CSV file has a line for each record and a column for each field, safe for spreadsheets', async () => {
  const person = await newPerson('sheet@example.com')
  const files = filesOf((await askFor(person.token)).rawPayload)
  for (const { name, columns } of exportTables()) {
    const csv = files[`${name}.csv`] ?? ''
    const [header = ''] = csv.split('\r\n')
    expect(header).toBe(`\ufeff${Object.keys(columns).join(',')}`)
    for (const record of json(files, name))
      expect(new Set(Object.keys(record))).toEqual(new Set(Object.keys(columns)))
    expect(csv).not.toMatch(/(^|,|\n)"?[=+@\t]/)
    for (const column of Object.keys(columns)) expect(files['README.txt']).toContain(`  ${column}`)
  }
  expect(files['contacts.csv']).toContain(`"'=cmd|' /C calc'!A0 of sheet@example.com","'+12125550100",US,`)
  expect(files['calls.csv']).toMatch(/,0\.04,40000\r\n$/)
})

test('explains itself in the language of the page, under the same names', async () => {
  const { token, userId } = await web.signUp('lectora@example.com')
  await web.db.query(`update session set device = 'Firefox on Linux' where user_id = $1`, [userId])
  const headers = { authorization: `Bearer ${token}`, 'accept-language': 'es' }
  const answer = await web.app.inject({ url: '/api/protected/export', headers })
  const files = filesOf(answer.rawPayload)
  const readme = files['README.txt'] ?? ''
  expect(readme).toContain('Tus datos en Farline')
  expect(readme).toContain('referral_code: lo que va detrás de ?ref= en tu enlace')
  const texts = Object.values(exportTexts).filter(text => typeof text === 'string')
  expect(texts.filter(text => readme.includes(text))).toEqual([])
  expect(json(files, 'devices')).toMatchObject([{ device: 'Firefox en Linux' }])
  const soon = await web.app.inject({ url: '/api/protected/export', headers })
  expect(soon.json().error.message).toContain('Acabas de descargar tus datos.')
})

test('allows one at a time and one a minute, and says when to come back', async () => {
  const { token, userId } = await web.signUp('often@example.com')
  const both = await Promise.all([askFor(token), askFor(token)])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429])
  const soon = await askFor(token)
  expect([soon.statusCode, soon.json().error.code]).toEqual([429, 'too_many_requests'])
  expect(soon.headers['retry-after']).toBe('60')
  web.clock.advance(60_000)
  expect((await askFor(token)).statusCode).toBe(200)
  // One that a process took with it when it died.
  web.clock.advance(60_000)
  await web.db.query(`update data_export set busy_until = $2 where user_id = $1`, [
    userId,
    new Date(web.clock.now().getTime() + 200_000),
  ])
  const busy = await askFor(token)
  expect([busy.statusCode, busy.headers['retry-after']]).toEqual([429, '200'])
  web.clock.advance(200_000)
  expect((await askFor(token)).statusCode).toBe(200)
})

test('an export whose reader left before its first byte does not block the next', async () => {
  const { token, userId } = await web.signUp('gone@example.com')
  await web.db.query(`insert into data_export (user_id, started_at) values ($1, '2020-01-01')`, [userId])
  const served = new Promise<ServerResponse>(resolve =>
    web.app.server.once('request', (_, res) => resolve(res)),
  )
  const url = await web.app.listen({ port: 0, host: '127.0.0.1' })
  const reader = new AbortController()
  const headers = { authorization: `Bearer ${token}` }
  // Whoever locks the row keeps the server waiting until the reader has gone.
  await web.db.transaction(async tx => {
    await tx.query('select 1 from data_export where user_id = $1 for update', [userId])
    const asked = fetch(`${url}/api/protected/export`, { headers, signal: reader.signal })
    const response = await served
    const gone = new Promise(resolve => response.once('close', resolve))
    reader.abort()
    await expect(asked).rejects.toThrow()
    await gone
  })
  await expect
    .poll(() =>
      web.db.query(
        `select started_at > '2020-01-01' as made, busy_until is null as over from data_export where user_id = $1`,
        [userId],
      ),
    )
    .toEqual([{ made: true, over: true }])
  web.clock.advance(60_000)
  expect((await askFor(token)).statusCode).toBe(200)
})

test('nobody gets it without being signed in', async () => {
  expect((await web.app.inject({ url: '/api/protected/export' })).statusCode).toBe(401)
  expect((await askFor('forged')).statusCode).toBe(401)
})

test('a long history comes whole, in pieces between which others are served', async () => {
  const { userId } = await web.signUp('long@example.com')
  const calls = 2001
  // Three of one moment each, so that pages end between them.
  await web.db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, ended_at, outcome)
     select gen_random_uuid(), $1, '+12125550100', 'US', 20000, false, 60000, 'ended', at, at, 'no_answer'
     from (select $2::timestamptz - (n / 3) * interval '1 second' as at from generate_series(1, ${calls}) n) times`,
    [userId, web.clock.now()],
  )
  const pieces: Uint8Array[] = []
  for await (const piece of exportData(web.services, userId)) pieces.push(piece)
  const files = filesOf(Buffer.concat(pieces))
  const ids = new Set(json(files, 'calls').map(({ id }: { id: string }) => id))
  expect(ids.size).toBe(calls)
  expect(files['calls.csv']?.split('\r\n')).toHaveLength(calls + 2)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(64 * 1024)
})
