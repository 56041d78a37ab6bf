import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calls, callTotals, searchCalls } from '#lib/api/calls.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import type { Database } from '#server/db/port.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { systemClock } from '#server/process/clock.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { startTestServer } from '#support/test-server.ts'
import { sendAll } from './http-load.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'
import { addBuyers, withShop } from './shop.ts'

/** Calls of one user, over a year (older ones are dropped) to a thousand numbers; half of the numbers have 212 in them. */
const rows = 100_000
const requests = 100
const dayMs = 24 * 3_600_000

type Headers = Readonly<Record<string, string>>

/** How long a page of 25 calls takes over HTTP where the history is this long, and its totals, with each filter. */
export async function benchCallHistory(): Promise<Figure[]> {
  const figures = await withShop(async ({ server, db, signIn }) => {
    const userId = await fill(db)
    // As a database of that age has done by itself.
    await db.query('analyze')
    return measure('PostgreSQL', server.url, await signIn(userId))
  })
  return [
    ...(figures ?? [{ what: 'call history', value: 'SKIPPED: PostgreSQL is not installed' }]),
    ...(await onEmbedded()),
  ]
}

async function onEmbedded(): Promise<Figure[]> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-history-'))
  const secret = 'a secret that only this bench knows, and that is long enough'
  try {
    const db = await openEmbedded(directory)
    await migrate(db, systemClock.now())
    const userId = await fill(db)
    await db.close()
    const server = await startTestServer({ environment: { DATA_DIR: directory, TOKEN_SECRET: secret } })
    const token = await signAccessToken(deriveKeys(secret).access, userId, systemClock)
    try {
      return await measure('embedded', server.url, { authorization: `Bearer ${token}` })
    } finally {
      await server.close()
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

async function measure(engine: string, url: string, headers: Headers): Promise<Figure[]> {
  const json = { ...headers, 'content-type': 'application/json' }
  const ask = async (path: string, filter?: object, times = 1) => {
    const request =
      filter === undefined ? { path, headers } : { path, headers: json, body: JSON.stringify(filter) }
    const all = Array.from({ length: times }, () => request)
    return (await sendAll(url, all, 1)).answers
  }
  const [middle, last] = await walk(async query => (await ask(`${calls.path}?${query}`))[0]?.body ?? '')
  const year = new Date(Date.now() - 250 * dayMs).toISOString()
  const month = new Date(Date.now() - 220 * dayMs).toISOString()
  const filters = {
    'all calls': {},
    'a month': { from: year, to: month },
    'a number': { who: '0142' },
    'half of the numbers': { who: '212' },
    'a number within months': { who: '0142', from: year },
    talked: { outcome: 'talked' },
    'a rare outcome': { outcome: 'failed' },
    'a rare outcome of half of the numbers': { outcome: 'failed', who: '212' },
    nothing: { who: '99999999' },
  }
  const asked: readonly { name: string; path: string; filter?: object }[] = [
    { name: 'middle page', path: `${calls.path}?${middle}` },
    { name: 'last page', path: `${calls.path}?${last}` },
    ...Object.entries(filters).flatMap(([name, filter]) => [
      { name: `page of ${name}`, path: searchCalls.path, filter },
      { name: `totals of ${name}`, path: callTotals.path, filter },
    ]),
  ]
  const figures: Figure[] = []
  for (const { name, path, filter } of asked) {
    await ask(path, filter, 20)
    const times = (await ask(path, filter, requests)).map(({ ms }) => ms).sort((a, b) => a - b)
    const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN
    figures.push({
      what: `call history of ${rows.toLocaleString('en')}, ${name} (${engine})`,
      value: `median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    })
  }
  return figures
}

/** The queries of the middle and the last of the largest pages that the history makes. */
async function walk(ask: (query: string) => Promise<string>): Promise<[string, string]> {
  const cursors: string[] = []
  let listed = 0
  for (let cursor: string | null = ''; cursor !== null; ) {
    const page = JSON.parse(await ask(`limit=500${cursor === '' ? '' : `&cursor=${cursor}`}`)) as {
      calls: unknown[]
      nextCursor: string | null
    }
    listed += page.calls.length
    cursor = page.nextCursor
    if (cursor !== null) cursors.push(`cursor=${cursor}`)
  }
  if (listed !== rows) throw new Error(`${listed} calls were listed`)
  return [cursors[Math.floor(cursors.length / 2)] ?? '', cursors.at(-1) ?? '']
}

/** Two users who have called as much: a page must not walk through the other's. @returns the id of one */
async function fill(db: Database): Promise<string> {
  const [userId = '', otherId = ''] = await addBuyers(db, 2)
  for (const id of [userId, otherId]) await addCalls(db, id)
  return userId
}

/** Nobody answered any of them, so that the books need nothing beside: the database reads as much either way. */
async function addCalls(db: Database, userId: string): Promise<void> {
  await db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, ended_at, outcome, node)
     select gen_random_uuid(), $1, case i * 7919 % 2 when 0 then '+1212555' else '+1303555' end
         || lpad((i * 7919 % 1000)::text, 4, '0'), 'US', 20000, false, 3600000, 'ended', placed, placed,
       case when i % 5 < 3 then 'completed' when i % 1000 = 3 then 'failed' when i % 5 = 3 then 'no_answer' else 'busy' end,
       'bench'
     from generate_series(1, $2::int) i,
       lateral (select now() - i * (interval '365 days' / $2::int) as placed) one`,
    [userId, rows],
  )
}
