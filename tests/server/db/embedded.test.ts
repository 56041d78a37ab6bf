import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedDatabase, openEmbedded } from '#server/db/embedded.ts'
import { migrate, migrationNames } from '#server/db/migrate.ts'

const directory = mkdtempSync(join(tmpdir(), 'farline-embedded-'))
let db: EmbeddedDatabase
beforeAll(async () => {
  db = await openEmbedded(directory)
  await db.script('create table note (id int primary key, body text)')
})
afterAll(async () => {
  await db.close()
  rmSync(directory, { recursive: true, force: true })
})

test('a commit reaches the disk: at least one fsync each, none for a read', async () => {
  for (let id = 0; id < 5; id += 1) {
    const before = db.fsyncCount()
    await db.query('insert into note (id) values ($1)', [id])
    expect(db.fsyncCount()).toBeGreaterThan(before)
  }
  const before = db.fsyncCount()
  await db.query('select count(*) from note')
  expect(db.fsyncCount()).toBe(before)
})

test('a second opener is refused, in this process and in another', async () => {
  await expect(openEmbedded(directory)).rejects.toThrow(/is in use by another Farline process/)
  const script = `import('${join(import.meta.dirname, '../../../server/db/embedded.ts')}')
    .then(({ openEmbedded }) => openEmbedded(${JSON.stringify(directory)}))
    .then(() => console.log('opened'), error => console.log(error.name))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script])
  expect(stdout.trim()).toBe('DirectoryInUse')
})

test('a transaction that throws leaves nothing', async () => {
  const failing = db.transaction(async tx => {
    await tx.query('insert into note (id) values (100)')
    throw new Error('no')
  })
  await expect(failing).rejects.toThrow('no')
  expect(await db.query('select 1 from note where id = 100')).toEqual([])
})

test('int8 arrives as a number and one beyond 2^53 throws', async () => {
  expect(await db.query('select 9007199254740991::int8 as n')).toEqual([{ n: 9_007_199_254_740_991 }])
  await expect(db.query('select 9007199254740993::int8 as n')).rejects.toThrow(/safe integer/)
})

test('migrations are applied once, and a database of a newer version is refused', async () => {
  const now = new Date()
  expect(await migrate(db, now)).toEqual(await migrationNames())
  expect(await migrate(db, now)).toEqual([])
  await db.query(`insert into schema_migration (name, applied_at) values ('9999_future.sql', $1)`, [now])
  await expect(migrate(db, now)).rejects.toThrow(/newer version/)
})
