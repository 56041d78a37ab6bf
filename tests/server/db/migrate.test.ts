import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate, migrationNames } from '#server/db/migrate.ts'
import { StartError } from '#server/start-error.ts'
import { type FreshDatabase, openFreshDatabase, projectEngine } from '#support/engine.ts'

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

test('a migration that fails leaves nothing of those before it', async () => {
  const { db } = database
  await db.transaction(tx => tx.script('drop schema public cascade; create schema public'))
  await db.query('create table job (taken int)')
  await expect(migrate(db, now)).rejects.toThrow(/"job" already exists/)
  expect(await db.query(`select to_regclass('app_user')::text as name`)).toEqual([{ name: null }])
  await db.query('drop table job')
  expect(await migrate(db, now)).toEqual(await migrationNames())
})

test('a database of a newer version is refused', async () => {
  const { db } = database
  await db.query(`insert into schema_migration (name, applied_at) values ('9999_future.sql', $1)`, [now])
  await expect(migrate(db, now)).rejects.toThrow(/newer version of Farline \(9999_future\.sql\)/)
  await expect(migrate(db, now)).rejects.toThrow(StartError)
})
