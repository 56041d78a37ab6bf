import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '#server/db/postgres.ts'
import { acquireProcessLock, type Place, type ProcessPlace } from '#server/db/process-lock.ts'
import { StartError } from '#server/process/start-error.ts'
import { projectEngine } from '#support/engine.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'

let own: OwnDatabase
const places: ProcessPlace[] = []
const troubles: string[] = []
beforeAll(async () => {
  const engine = await projectEngine()
  if (engine.kind !== 'postgres') throw new Error('these tests are about PostgreSQL')
  own = await createDatabase(engine.serverUrl, 'empty')
})
afterEach(async () => {
  for (const place of places.splice(0)) await place.release()
  troubles.splice(0)
})
afterAll(() => own.drop())

async function take(place: Place, waitMs = 150): Promise<ProcessPlace> {
  const taken = await acquireProcessLock(own.url, place, message => troubles.push(message), {
    waitMs,
    watchMs: 50,
  })
  places.push(taken)
  return taken
}

/** Cuts the session that holds a place, as a restart of PostgreSQL does. */
async function cutPlaces(): Promise<void> {
  const db = await openPostgres(own.url, { poolSize: 1 })
  await db.query(`select pg_terminate_backend(pid, 5000) from pg_locks join pg_database on oid = database
    where locktype = 'advisory' and granted and datname = current_database()`)
  await db.close()
}

test('any number of processes whose calls live in the network', async () => {
  await take('among others')
  await take('among others')
  await take('among others')
})

test('a process with the local exchange is the only one, whichever came first', async () => {
  const first = await take('alone')
  for (const place of ['alone', 'among others'] as const) {
    await expect(take(place)).rejects.toThrow(StartError)
  }
  await expect(take('alone')).rejects.toThrow(/the local exchange works in a single process only/)
  await first.release()
  await take('among others')
  await expect(take('alone')).rejects.toThrow(/Another Farline process is running on this database/)
})

test('one that is just stopping is waited for', async () => {
  const first = await take('alone')
  const second = take('alone', 10_000)
  await new Promise(resolve => setTimeout(resolve, 200))
  await first.release()
  await second
})

test('a place outlives the session that holds it', async () => {
  await take('alone')
  await cutPlaces()
  await expect
    .poll(() =>
      take('alone', 0).then(
        async wrong => {
          await wrong.release()
          return 'free'
        },
        () => 'taken',
      ),
    )
    .toBe('taken')
})

test('reports once that another process took its place, and gets it again', async () => {
  await take('alone')
  const db = await openPostgres(own.url, { poolSize: 1 })
  await db.session(async session => {
    await session.query('select 1')
    const cut = cutPlaces()
    // Whoever asks first once it is free.
    await session.query('select pg_advisory_lock(4276546)')
    await cut
    await expect.poll(() => troubles.length).toBe(1)
    await new Promise(resolve => setTimeout(resolve, 300))
  })
  await db.close()
  expect(troubles).toHaveLength(1)
  await expect
    .poll(() =>
      take('alone', 0).then(
        () => 'free',
        () => 'taken',
      ),
    )
    .toBe('taken')
})
