import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationNames } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { StartError } from '#server/process/start-error.ts'
import { projectEngine } from '#support/engine.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'

let serverUrl: string
let own: OwnDatabase
beforeAll(async () => {
  const engine = await projectEngine()
  if (engine.kind !== 'postgres') throw new Error('these tests are about PostgreSQL')
  serverUrl = engine.serverUrl
  own = await createDatabase(serverUrl, 'empty')
})
afterAll(() => own.drop())

const server = join(import.meta.dirname, '../../../server')

/** Migrates in a process of its own; gives what it applied. */
async function migrateElsewhere(url: string): Promise<string[]> {
  const script = `
    const { openPostgres } = await import('${server}/db/postgres.ts')
    const { migrate } = await import('${server}/db/migrate.ts')
    const db = await openPostgres(process.argv[1])
    console.log(JSON.stringify(await migrate(db, new Date())))
    await db.close()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, url])
  return JSON.parse(stdout) as string[]
}

test('one of several processes that start at once migrates, and the others find it done', async () => {
  const applied = await Promise.all([1, 2, 3].map(() => migrateElsewhere(own.url)))
  const names = await migrationNames()
  expect(applied.filter(each => each.length > 0)).toEqual([names])
})

test('many at once, on a database that is new each time', async () => {
  const names = await migrationNames()
  for (let round = 0; round < 5; round += 1) {
    const fresh = await createDatabase(serverUrl, 'empty')
    const pools = await Promise.all([1, 2, 3, 4].map(() => openPostgres(fresh.url, { poolSize: 2 })))
    const applied = await Promise.all(pools.map(pool => migrate(pool, new Date())))
    expect(applied.filter(each => each.length > 0)).toEqual([names])
    await Promise.all(pools.map(pool => pool.close()))
    await fresh.drop()
  }
})

test('does not count a wait for another one as a statement that takes too long', async () => {
  const fresh = await createDatabase(serverUrl, 'empty')
  const [first, second] = await Promise.all(
    [1, 2].map(() => openPostgres(fresh.url, { poolSize: 2, statementMs: 200 })),
  )
  if (first === undefined || second === undefined) throw new Error('unreachable')
  await migrate(first, new Date())
  let free = () => {}
  const holding = first.transaction(async tx => {
    await tx.query('select pg_advisory_xact_lock(objid::bigint) from (select 4276545 as objid) lock')
    await new Promise<void>(resolve => (free = resolve))
  })
  const waiting = migrate(second, new Date())
  setTimeout(() => free(), 1000)
  await holding
  expect(await waiting).toEqual([])
  await Promise.all([first.close(), second.close()])
  await fresh.drop()
})

test('tells a user that may not create tables to own the database', async () => {
  const owner = await openPostgres(own.url, { poolSize: 1 })
  await owner.query(`create role reader login password 'reads'`)
  await owner.query('revoke create on schema public from public')
  const url = new URL(own.url)
  url.username = 'reader'
  url.password = 'reads'
  const reader = await openPostgres(url.href)
  await expect(migrate(reader, new Date())).rejects.toThrow(StartError)
  await expect(migrate(reader, new Date())).rejects.toThrow(/owner of the database/)
  await reader.close()
  await owner.query('drop role reader')
  await owner.close()
})

test('distinguishes a read-only database from one that is out of order', async () => {
  const fresh = await createDatabase(serverUrl, 'empty')
  const admin = await openPostgres(fresh.url, { poolSize: 1 })
  await admin.query(
    `alter database ${new URL(fresh.url).pathname.slice(1)} set default_transaction_read_only = on`,
  )
  await admin.close()
  const owner = await openPostgres(fresh.url, { poolSize: 1 })
  await expect(migrate(owner, new Date())).rejects.toThrow(StartError)
  await expect(migrate(owner, new Date())).rejects.toThrow(/is read-only .* set DATABASE_URL to the primary/)
  await owner.close()
  await fresh.drop()
})
