import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { headerBytes, writeBackup } from '#server/backup/file.ts'
import { type BackupWorld, createBackupWorld } from '#support/backup-world.ts'
import { findBreaches } from '#support/books.ts'

let backups: BackupWorld
beforeAll(async () => {
  backups = await createBackupWorld()
})
afterEach(() => backups.leave())
afterAll(() => backups.close())

/** A file of the test's. */
const file = (name: string) => join(backups.directory, name)

test('every row is restored as it was, to the microsecond', async () => {
  await backups.world.db.query(
    `insert into job (kind, key, data, run_at, done_at) values
     ('mail', 'odd:1', $1, 'infinity', '2026-01-02T03:04:05.678901Z'), ('mail', 'odd:2', 'null', now(), null)`,
    [JSON.stringify({ text: 'a "quoted", \\back\\slashed {brace},\nnew line\tZoë 😀' })],
  )
  const path = file('whole.backup')
  expect(await backups.command('backup', backups.here, path)).toMatchObject({ code: 0 })
  const there = await backups.elsewhere()
  expect(await backups.command('restore', there, path)).toMatchObject({ code: 0 })
  const db = await backups.open(there)
  const tables = await db.query<{ name: string }>(
    `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
  )
  expect(tables.length).toBeGreaterThan(20)
  for (const { name } of tables) {
    const sql = `select item::text as row from "${name}" item order by 1`
    expect(await db.query(sql), name).toEqual(await backups.world.db.query(sql))
  }
  const sequences = 'select sequencename, last_value from pg_sequences order by 1'
  expect(await db.query(sequences)).toEqual(await backups.world.db.query(sequences))
})

test('a restore replaces another database only if told to, and only while nobody uses that database', async () => {
  const path = file('whole.backup')
  const there = await backups.elsewhere('migrated')
  const db = await backups.open(there)
  await db.query(`insert into job (kind, key, data, run_at) values ('mail', 'later', '{}', now())`)
  await db.query('create table left_behind (id int)')
  expect(await backups.command('restore', there, path, '--overwrite')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is connected to the database|is in use by another Farline process/),
  })
  await backups.leave()

  // Of the right checksum, and yet cut off: what goes wrong in the middle changes nothing.
  const engine = backups.world.databaseUrl === undefined ? 'embedded' : 'postgresql'
  const whole = readFileSync(path).subarray(headerBytes)
  for (const part of [whole.subarray(0, whole.length - 200), Buffer.from('anything')]) {
    const broken = file('broken.backup')
    await writeBackup(broken, { engine, takenAt: new Date().toISOString() }, async into => {
      into.end(part)
    })
    const failed = await backups.command('restore', there, broken, '--overwrite')
    expect(failed).toMatchObject({ code: 1, stdout: '' })
    expect(failed.stderr).toMatch(/^The backup is incomplete|^pg_restore failed:/)
  }
  const same = await backups.open(there)
  expect(await same.query(`select key from job where key = 'later'`)).toHaveLength(1)
  await backups.leave()

  const refused = await backups.command('restore', there, path)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('--overwrite') })
  expect(await backups.command('restore', there, path, '--overwrite')).toMatchObject({ code: 0 })
  const again = await backups.open(there)
  expect(await again.query(`select key from job where key = 'later'`)).toEqual([])
  expect(await again.query(`select to_regclass('left_behind') as found`)).toEqual([{ found: null }])
  expect(await findBreaches(again)).toEqual([])
})
