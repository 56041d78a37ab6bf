import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationNames } from '#server/db/migrate.ts'
import { StartError } from '#server/process/start-error.ts'
import { type FreshDatabase, openFreshDatabase, projectEngine } from '#support/engine.ts'
import { copyOfMigrations } from './migration-files.ts'

const now = new Date('2026-03-01T12:00:00Z')
let database: FreshDatabase
beforeAll(async () => {
  database = await openFreshDatabase(await projectEngine(), now)
})
afterAll(() => database.close())

test('each migration is applied once', async () => {
  const { db } = database
  const rows = await db.query<{ name: string }>('select name from schema_migration order by name')
  expect(rows.map(row => row.name)).toEqual(await migrationNames())
  expect(await migrate(db, now)).toEqual([])
})

test('a failed migration leaves nothing of itself, and the next start continues with it', async () => {
  const { db } = database
  await db.transaction(tx => tx.script('drop schema public cascade; create schema public'))
  await db.query('create table inbox_mail (taken int)')
  await expect(migrate(db, now)).rejects.toThrow(/"inbox_mail" already exists/)
  const tableNamed = (name: string) => db.query('select to_regclass($1)::text as name', [name])
  expect(await tableNamed('call')).toEqual([{ name: 'call' }])
  expect(await tableNamed('job')).toEqual([{ name: null }])
  await db.query('drop table inbox_mail')
  expect(await migrate(db, now)).toEqual((await migrationNames()).slice(3))
})

test('free calls that were settled before what they are worth was posted have it posted', async () => {
  const { db } = database
  await db.transaction(tx =>
    tx.script(`delete from schema_migration where name = '0016_reconciliation.sql';
      drop table reconciliation; alter table payment drop column compared_at;`),
  )
  const user = '00000000-0000-4000-8000-000000000001'
  await db.query(
    `insert into app_user (id, email, password_hash, created_at) values ($1, 'a@example.com', '', $2)`,
    [user, now],
  )
  const call = (n: number) => `00000000-0000-4000-8000-00000000010${n}`
  const ended = [
    [call(1), true, 60_001],
    [call(2), true, null],
    [call(3), true, 0],
    [call(4), false, 1000],
  ] as const
  for (const [id, free, answeredMs] of ended) {
    await db.query(
      `insert into call (id, user_id, to_number, iso_code, rate, free, limit_ms, state, placed_at, ended_at, answered_ms,
         outcome) values ($1, $2, '+12125550100', 'US', 20000, $3, 300000, 'ended', $5, $5, $4, 'completed')`,
      [id, user, free, answeredMs, now],
    )
  }
  expect(await migrate(db, now)).toContain('0016_reconciliation.sql')
  expect(
    await db.query(
      `select key, debit.kind as debit, credit.kind as credit, amount, call_id, transfer.created_at as at from transfer
       join account debit on debit.id = debit_account join account credit on credit.id = credit_account`,
    ),
  ).toEqual([
    {
      key: `call:${call(1)}:free`,
      debit: 'promotions',
      credit: 'revenue',
      amount: 40_000,
      call_id: call(1),
      at: now,
    },
  ])
})

test('sign-ins from before devices were kept are devices too', async () => {
  const { db } = database
  await db.transaction(tx =>
    tx.script(`delete from schema_migration where name = '0017_sessions.sql';
      drop table session, throttle cascade; alter table call drop column alive_ms;`),
  )
  const [user, family] = ['00000000-0000-4000-8000-000000000002', '00000000-0000-4000-8000-000000000201']
  await db.query(
    `insert into app_user (id, email, password_hash, created_at) values ($1, 'b@example.com', '', $2)`,
    [user, now],
  )
  const later = new Date(now.getTime() + 60_000)
  for (const [hash, at] of [
    [1, now],
    [2, later],
  ] as const) {
    await db.query(
      `insert into refresh_token (hash, user_id, family, created_at, expires_at, session_ends_at)
       values ($1, $2, $3, $4, $5, $5)`,
      [new Uint8Array([hash]), user, family, at, new Date(now.getTime() + 3_600_000)],
    )
  }
  expect(await migrate(db, now)).toEqual(['0017_sessions.sql'])
  expect(await db.query('select * from session')).toEqual([
    {
      id: family,
      user_id: user,
      device: 'Unknown device',
      kind: 'unknown',
      signed_in_at: now,
      last_seen_at: later,
    },
  ])
})

test('works with a database that a newer version added to, and warns the operator', async () => {
  const { db } = database
  await db.query(`insert into schema_migration (name, applied_at) values ('9998_more.sql', $1)`, [now])
  const newer: (readonly string[])[] = []
  expect(await migrate(db, now, { onNewer: names => newer.push(names) })).toEqual([])
  expect(newer).toEqual([['9998_more.sql']])
})

test('rejects a database from which a newer version removed something', async () => {
  const { db } = database
  const contract = '9999_less.contract.sql'
  await db.query('insert into schema_migration (name, applied_at) values ($1, $2)', [contract, now])
  await expect(migrate(db, now)).rejects.toThrow(/newer version .* needs \(9999_less\.contract\.sql\)/)
  await expect(migrate(db, now)).rejects.toThrow(StartError)
})

test('a file without a transaction runs statement by statement, and again from its beginning', async () => {
  const { db } = database
  await db.query("delete from schema_migration where name like '999%'")
  const directory = await copyOfMigrations({
    '9000_index.sql': `-- no transaction: calls go on meanwhile.
drop index concurrently if exists call_by_rate;
create index concurrently call_by_rate on call (rate);
`,
  })
  expect(await migrate(db, now, { directory })).toEqual(['9000_index.sql'])
  await db.query("delete from schema_migration where name = '9000_index.sql'")
  expect(await migrate(db, now, { directory })).toEqual(['9000_index.sql'])
  expect(await db.query("select indexname from pg_indexes where indexname = 'call_by_rate'")).toHaveLength(1)
})
