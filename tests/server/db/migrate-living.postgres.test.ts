import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import type { MigratableDatabase } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { StartError } from '#server/process/start-error.ts'
import { projectEngine } from '#support/engine.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'
import { copyOfMigrations } from './migration-files.ts'

/** Migrations beside a running process: it waits for a moment now and then, but nothing of it fails. */

const now = new Date('2026-03-01T12:00:00Z')
const retryPolicy = { lockMs: 200, pauseMs: 100, tries: 100 }
let own: OwnDatabase
let living: MigratableDatabase
let starting: MigratableDatabase
beforeAll(async () => {
  const engine = await projectEngine()
  if (engine.kind !== 'postgres') throw new Error('these tests are about PostgreSQL')
  own = await createDatabase(engine.serverUrl)
  living = await openPostgres(own.url)
  starting = await openPostgres(own.url)
})
afterAll(async () => {
  await living.close()
  await starting.close()
  await own.drop()
})

/** Writes without a pause until stopped. */
function keepWriting(): { stop(): Promise<void>; written(): number } {
  let written = 0
  let writing = true
  const working = (async () => {
    while (writing) {
      await living.query(
        `insert into app_user (id, email, password_hash, created_at) values (gen_random_uuid(), gen_random_uuid()::text, '', $1)`,
        [now],
      )
      written += 1
    }
  })()
  return {
    written: () => written,
    stop: async () => {
      writing = false
      await working
    },
  }
}

/** A transaction that has read a table and stays open: a migration of that table cannot have it. */
async function readForLong(): Promise<() => Promise<void>> {
  const reader = await openPostgres(own.url, { poolSize: 1 })
  const done = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const reading = reader.transaction(async tx => {
    await tx.query('select count(*) from app_user')
    begun.resolve()
    await done.promise
  })
  await begun.promise
  return async () => {
    done.resolve()
    await reading
    await reader.close()
  }
}

test.each([
  ['9000_wish.sql', 'alter table app_user add column wish text'],
  ['9003_by_day.sql', '-- no transaction\ndrop index if exists app_user_before;'],
])(
  'a migration that cannot have its table lets the others have it, and comes back: %s',
  async (name, sql) => {
    await starting.query('create index if not exists app_user_before on app_user (created_at)')
    const directory = await copyOfMigrations({ [name]: sql })
    const end = await readForLong()
    const writer = keepWriting()
    const migrating = migrate(starting, now, { directory, retryPolicy })
    let over = false
    void migrating.then(() => (over = true))
    const waits = async () => {
      const [row] = await living.query<{ waits: boolean }>(
        `select exists (select from pg_locks where relation = 'app_user'::regclass and mode = 'AccessExclusiveLock'
         and not granted) as waits`,
      )
      return row?.waits
    }
    // Twice in a row: it came back. Meanwhile whoever would write waits for no longer than it does.
    for (let turn = 0; turn < 2; turn += 1) {
      await expect.poll(waits, { interval: 5, timeout: 15_000 }).toBe(true)
      const before = writer.written()
      await expect.poll(() => writer.written(), { timeout: 15_000 }).toBeGreaterThan(before + 20)
    }
    expect(over).toBe(false)
    await end()
    expect(await migrating).toEqual([name])
    await writer.stop()
  },
)

test('reports a table that stays locked with the migration that wanted it', async () => {
  const directory = await copyOfMigrations({
    '9000_wish.sql': '',
    '9001_hope.sql': 'alter table app_user add column hope text',
  })
  const end = await readForLong()
  const failing = migrate(starting, now, { directory, retryPolicy: { lockMs: 20, pauseMs: 10, tries: 3 } })
  await expect(failing).rejects.toThrow(StartError)
  await expect(failing).rejects.toThrow(/9001_hope\.sql could not lock .* pg_stat_activity/)
  await end()
})

test('an index is built while others write and a second process waits for its turn', async () => {
  const directory = await copyOfMigrations({
    '9002_index.sql': `-- no transaction
drop index concurrently if exists app_user_by_day;
create index concurrently app_user_by_day on app_user (created_at);`,
  })
  // The index waits for whoever has read the table, and by its end for everybody who was there: also for who waits for it.
  const end = await readForLong()
  const writer = keepWriting()
  const other = await openPostgres(own.url)
  const first = migrate(starting, now, { directory, retryPolicy })
  const second = migrate(other, now, { directory, retryPolicy })
  await new Promise(resolve => setTimeout(resolve, 500))
  const before = writer.written()
  await expect.poll(() => writer.written()).toBeGreaterThan(before)
  await end()
  expect((await Promise.all([first, second])).flat()).toEqual(['9002_index.sql'])
  await other.close()
  await writer.stop()
  expect(
    await starting.query(`select indisvalid from pg_index where indexrelid = 'app_user_by_day'::regclass`),
  ).toEqual([{ indisvalid: true }])
})
