import { maxTransfersPerPage, transfers } from '#lib/api/transfers.ts'
import type { Database } from '#server/db/port.ts'
import { sendAll } from './http-load.ts'
import type { Figure } from './main.ts'
import { median } from './median.ts'
import { addBuyers, withShop } from './shop.ts'

/** Transfers of one user: two minutes of each call, and the credits that paid for them. */
const rows = 100_000
const requests = 200

/** How long a page of 25 takes over HTTP on PostgreSQL, where the history is this long: its first, middle and last page. */
export async function benchBillingHistory(): Promise<Figure[]> {
  const figures = await withShop(async ({ server, db, signIn }) => {
    // Somebody else has as much: a page must not walk through that.
    const [userId = '', otherId = ''] = await addBuyers(db, 2)
    for (const id of [userId, otherId]) await addHistory(db, id)
    await db.query('analyze')
    const headers = await signIn(userId)
    const ask = (query: string, times = 1) => {
      const page = { path: `${transfers.path}?${query}`, headers }
      return sendAll(
        server.url,
        Array.from({ length: times }, () => page),
        1,
      )
    }
    const cursors = await walk(async query => (await ask(query)).answers[0]?.body ?? '')
    const pages = { first: '', middle: cursors[Math.floor(cursors.length / 2)], last: cursors.at(-1) }
    const measured: Figure[] = []
    for (const [name, query = ''] of Object.entries(pages)) {
      await ask(query, 20)
      const times = (await ask(query, requests)).answers.map(({ ms }) => ms).sort((a, b) => a - b)
      const p99 = times[Math.floor(times.length * 0.99)] ?? Number.NaN
      measured.push({
        what: `billing history, ${name} page of ${rows.toLocaleString('en')} transfers (PostgreSQL)`,
        value: `median ${median(times).toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      })
    }
    return measured
  })
  return figures ?? [{ what: 'billing history', value: 'SKIPPED: PostgreSQL is not installed' }]
}

/** The queries of the pages that the largest page size makes of the history. */
async function walk(ask: (query: string) => Promise<string>): Promise<string[]> {
  const cursors: string[] = []
  let listed = 0
  for (let query = ''; ; ) {
    const page = JSON.parse(await ask(`limit=${maxTransfersPerPage}${query}`)) as {
      transfers: unknown[]
      nextCursor: string | null
    }
    listed += page.transfers.length
    if (page.nextCursor === null) break
    query = `&cursor=${page.nextCursor}`
    cursors.push(query.slice(1))
  }
  if (listed !== rows) throw new Error(`${listed} transfers were listed`)
  return cursors
}

async function addHistory(db: Database, userId: string): Promise<void> {
  const calls = rows / 2 - 1
  await db.query(
    `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'adjustment:' || gen_random_uuid(), (select id from account where kind = 'adjustments'), id, 1000000000, now()
     from account, generate_series(1, 2) where user_id = $1`,
    [userId],
  )
  await db.query(
    `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, answered_at, ended_at,
       answered_ms, minutes_charged, cost, outcome, node)
     select gen_random_uuid(), $1, '+12125550100', 'US', 20000, false, 3600000, 'ended', now(), now(), now(),
       120000, 2, 40000, 'completed', 'bench' from generate_series(1, $2::int)`,
    [userId, calls],
  )
  await db.query(
    `insert into call_meter (call_id, account_id, rate, minutes, max_minutes, next_charge_at, state)
     select call.id, account.id, rate, 2, 60, null, 'running' from call join account using (user_id) where user_id = $1`,
    [userId],
  )
  await db.query(
    `insert into transfer (key, debit_account, credit_account, amount, call_id, created_at)
     select 'call:' || call.id || ':' || minute, account.id, (select id from account where kind = 'revenue'), rate, call.id, now()
     from call join account using (user_id), generate_series(1, 2) minute where user_id = $1`,
    [userId],
  )
}
