import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Database, DatabaseUnavailable, type Db } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { projectEngine } from '#support/engine.ts'
import { createDatabase, type OwnDatabase, startPostgres } from '#support/postgres.ts'

/** A connection that dies in a transaction rolls all of it back, and nothing else (REL-5). */

let own: OwnDatabase
let serverUrl: string
let killer: Database
let db: Database
beforeAll(async () => {
  const engine = await projectEngine()
  if (engine.kind !== 'postgres') throw new Error('these tests are about PostgreSQL')
  serverUrl = engine.serverUrl
  own = await createDatabase(serverUrl, 'empty')
  killer = await openPostgres(own.url, { poolSize: 2 })
  await killer.query('create table entry (id int primary key, amount int not null)')
})
beforeEach(async () => {
  db = await openPostgres(own.url, { poolSize: 4 })
})
afterEach(async () => {
  await db.close()
  await killer.query('truncate entry')
})
afterAll(async () => {
  await killer.close()
  await own.drop()
})

const ids = async () =>
  (await killer.query<{ id: number }>('select id from entry order by id')).map(row => row.id)
const add = (tx: Db, id: number) => tx.query('insert into entry values ($1, 1)', [id])

async function kill(tx: Db): Promise<void> {
  const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
  await terminate(own?.pid ?? 0)
}

async function terminate(pid: number): Promise<void> {
  await killer.query('select pg_terminate_backend($1, 10000)', [pid])
}

test('between two statements: rejects the rest, however stubborn the work is, and rolls all back', async () => {
  const rejections: unknown[] = []
  const transaction = db.transaction(async tx => {
    await add(tx, 1)
    await kill(tx)
    for (let id = 2; id < 20; id += 1) {
      // Others keep the pool busy, so that a new connection is at hand to run on by mistake.
      const others = [db.query('select 1'), db.query('select 2')]
      await add(tx, id).catch((error: unknown) => rejections.push(error))
      await Promise.allSettled(others)
    }
    return 'as if nothing had happened'
  })
  await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(rejections).toHaveLength(18)
  for (const rejection of rejections) expect(rejection).toBeInstanceOf(DatabaseUnavailable)
  expect(await ids()).toEqual([])
  await add(db, 100)
  expect(await ids()).toEqual([100])
})

test('while a statement runs: it fails, and nothing stays', async () => {
  const transaction = db.transaction(async tx => {
    await add(tx, 1)
    const [own] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid')
    await Promise.all([tx.query('select pg_sleep(60)'), terminate(own?.pid ?? 0)])
  })
  await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await ids()).toEqual([])
})

test('before the commit: what looked finished is an error, not a success', async () => {
  const transaction = db.transaction(async tx => {
    await add(tx, 1)
    await kill(tx)
    return 'done'
  })
  await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await ids()).toEqual([])
})

test('at any moment, with many others under way: each transaction is kept whole or not at all', async () => {
  await killer.query('insert into entry values (1, 0), (2, 0)')
  let committed = 0
  const move = () =>
    db
      .transaction(async tx => {
        await tx.query('update entry set amount = amount + 1 where id = 1')
        await tx.query('select pg_sleep(0.002)')
        await tx.query('update entry set amount = amount - 1 where id = 2')
      })
      .then(
        () => (committed += 1),
        (error: unknown) => expect(error).toBeInstanceOf(DatabaseUnavailable),
      )
  let moving = true
  const movers = Array.from({ length: 6 }, async () => {
    while (moving) await move()
  })
  for (let round = 0; round < 30; round += 1) {
    await new Promise(resolve => setTimeout(resolve, 11))
    await killer.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'farline' and xact_start is not null
        and pid <> pg_backend_pid() order by random() limit 1`)
  }
  moving = false
  await Promise.all(movers)
  const rows = await killer.query<{ amount: number }>('select amount from entry order by id')
  const [up = 0, down = 0] = rows.map(row => row.amount)
  expect(committed).toBeGreaterThan(0)
  // A commit whose answer was lost holds, although its transaction was reported as failed.
  expect(up).toBeGreaterThanOrEqual(committed)
  expect(up + down).toBe(0)
})

test('idle connections that died are replaced without anybody noticing', async () => {
  await Promise.all([1, 2, 3, 4].map(() => db.query('select pg_sleep(0.05)')))
  await killer.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
    where datname = current_database() and application_name = 'farline' and state = 'idle' and pid <> pg_backend_pid()`)
  await new Promise(resolve => setTimeout(resolve, 200))
  expect(await Promise.all([5, 6, 7, 8].map(id => db.query('select $1::int as id', [id])))).toEqual([
    [{ id: 5 }],
    [{ id: 6 }],
    [{ id: 7 }],
    [{ id: 8 }],
  ])
})

test('a transaction in which nothing happens for too long is ended by the server', async () => {
  const impatient = await openPostgres(own.url, { idleInTransactionMs: 100 })
  const transaction = impatient.transaction(async tx => {
    await add(tx, 1)
    await new Promise(resolve => setTimeout(resolve, 1000))
    await add(tx, 2)
  })
  await expect(transaction).rejects.toBeInstanceOf(DatabaseUnavailable)
  expect(await ids()).toEqual([])
  await add(impatient, 3)
  await impatient.close()
})

test('cancels a statement that takes too long, and the connection continues', async () => {
  const impatient = await openPostgres(own.url, { statementMs: 100, poolSize: 1 })
  await expect(impatient.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
  expect(await impatient.query('select 1 as one')).toEqual([{ one: 1 }])
  await impatient.close()
})

test('limits how long, and how much, work waits for a connection', async () => {
  const narrow = await openPostgres(own.url, { poolSize: 1, waitMs: 100, waiting: 2 })
  let free = () => {}
  const holding = narrow.transaction(() => new Promise<void>(resolve => (free = resolve)))
  const waiting = Promise.allSettled([narrow.query('select 1'), narrow.query('select 1')])
  await expect(narrow.query('select 1')).rejects.toThrow(/too many requests wait/)
  for (const { reason } of (await waiting) as PromiseRejectedResult[]) {
    expect(String(reason)).toMatch(/became free in time/)
  }
  free()
  await holding
  expect(await narrow.query('select 1 as one')).toEqual([{ one: 1 }])
  await narrow.close()
})

test('closing lets running work finish and accepts nothing new', async () => {
  const other = await openPostgres(own.url)
  const running = other.transaction(async tx => {
    await tx.query('select pg_sleep(0.3)')
    await add(tx, 7)
  })
  await other.query('select 1')
  let stood = false
  void running.then(() => (stood = true))
  const closings = [other.close(), other.close()].map(closed => closed.then(() => stood))
  await expect(other.query('select 1')).rejects.toThrow(/being closed/)
  expect(await Promise.all(closings)).toEqual([true, true])
  expect(await ids()).toEqual([7])
})

test('after a restart of PostgreSQL the same pool is well again', async () => {
  const server = await startPostgres()
  const pool = await openPostgres(server.url)
  try {
    await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.05)')))
    const cut = expect(pool.query('select pg_sleep(60)')).rejects.toBeInstanceOf(DatabaseUnavailable)
    await server.restart()
    await cut
    expect(await pool.query('select 1 as one')).toEqual([{ one: 1 }])
  } finally {
    await pool.close()
    await server.stop()
  }
})
