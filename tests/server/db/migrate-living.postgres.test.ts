import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import type { MigratableDatabase } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { StartError } from '#server/start-error.ts'
import { projectEngine } from '#support/engine.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'
import { copyOfMigrations } from './migration-files.ts'

/** Migrations beside a process that goes on working: it waits for a moment now and then, and nothing of it fails. */

const now = new Date('2026-03-01T12:00:00Z')
const patience = { lockMs: 200, pauseMs: 100, tries: 100 }
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

/** Writes and reads without a pause until told to stop; gives how often, and the longest that one took. */
function keepWriting(): { stop(): Promise<{ written: number; longestMs: number }>; written(): number } {
  let written = 0
  let longestMs = 0
  let writing = true
  const working = (async () => {
    while (writing) {
      const begun = performance.now()
      await living.query(
        `insert into app_user (id, email, password_hash, created_at) values (gen_random_uuid(), gen_random_uuid()::text, '', $1)`,
        [now],
      )
      longestMs = Math.max(longestMs, performance.now() - begun)
      written += 1
    }
  })()
  return {
    written: () => written,
    stop: async () => {
      writing = false
      await working
      return { written, longestMs }
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

test('a migration that cannot have its table lets the others have it, and comes back', async () => {
  const directory = await copyOfMigrations({
    '9000_wish.sql': 'alter table app_user add column wish text',
  })
  const end = await readForLong()
  const writer = keepWriting()
  const migrating = migrate(starting, now, { directory, patience })
  let over = false
  void migrating.then(() => (over = true))
  // Far longer than it may wait in one go.
  await new Promise(resolve => setTimeout(resolve, 1500))
  expect(over).toBe(false)
  const before = writer.written()
  await expect.poll(() => writer.written()).toBeGreaterThan(before + 20)
  await end()
  expect(await migrating).toEqual(['9000_wish.sql'])
  const { longestMs } = await writer.stop()
  // Without a limit of its own the migration would have kept it waiting for the whole 1.5 s.
  expect(longestMs).toBeLessThan(1300)
})

test('a table that stays locked is told with the migration that wanted it', async () => {
  const directory = await copyOfMigrations({
    '9000_wish.sql': '',
    '9001_hope.sql': 'alter table app_user add column hope text',
  })
  const end = await readForLong()
  const failing = migrate(starting, now, { directory, patience: { lockMs: 20, pauseMs: 10, tries: 3 } })
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
  const first = migrate(starting, now, { directory, patience })
  const second = migrate(other, now, { directory, patience })
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
