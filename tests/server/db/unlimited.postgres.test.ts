import { afterAll, beforeAll, expect, test } from 'vitest'
import { DatabaseUnavailable } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { projectEngine } from '#support/engine.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'

/** A reader of everything takes longer than any statement may: neither the server nor we end it. */

const limits = { statementMs: 200, answerGraceMs: 200, poolSize: 1 }
let own: OwnDatabase
beforeAll(async () => {
  const engine = await projectEngine()
  if (engine.kind !== 'postgres') throw new Error('these tests are about PostgreSQL')
  own = await createDatabase(engine.serverUrl)
})
afterAll(async () => {
  await own.drop()
})

test('a transaction without limits outlives them, and the next work on its session has them again', async () => {
  const db = await openPostgres(own.url, limits)
  const [session] = await db.query('select pg_backend_pid() as pid')
  const asked = db.transaction(
    async tx => {
      await tx.query('set transaction isolation level repeatable read, read only')
      await tx.query('select pg_sleep(1)')
      return tx.transaction(nested =>
        nested.query('select pg_backend_pid() as pid, pg_sleep(1)::text as slept'),
      )
    },
    { unlimited: true },
  )
  expect(await asked).toEqual([{ ...(session as object), slept: '' }])
  await expect(db.query('select pg_sleep(60)')).rejects.toMatchObject({ code: '57014' })
  await expect(db.transaction(tx => tx.query('select pg_sleep(60)'))).rejects.toMatchObject({ code: '57014' })
  await db.close()
})

test('an answer that the server should have given long ago is not waited for in any other', async () => {
  const db = await openPostgres(own.url, limits)
  const asked = db.transaction(async tx => {
    await tx.query('set local statement_timeout = 0')
    await tx.query('select pg_sleep(60)')
  })
  await expect(asked).rejects.toBeInstanceOf(DatabaseUnavailable)
  await db.close()
})

test('closing breaks it off', async () => {
  const db = await openPostgres(own.url, limits)
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const asked = db.transaction(
    async tx => {
      await tx.query('select 1')
      begin()
      await tx.query('select pg_sleep(120)')
    },
    { unlimited: true },
  )
  const broken = expect(asked).rejects.toBeInstanceOf(DatabaseUnavailable)
  await begun
  await db.close()
  await broken
})
