// @module-tag slow
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterAll, expect, test } from 'vitest'
import { writeBackup } from '#server/backup/file.ts'
import { dumpRows, loadRows } from '#server/backup/rows.ts'
import { requireNoBrokenRestore } from '#server/db/broken-restore.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { openDatabase } from '#server/db/open.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())
const directory = mkdtempSync(join(tmpdir(), 'farline-rows-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

test('rows find their columns by name, though the table had them in another order', async () => {
  await world.db.query('alter table job drop column kind')
  await world.db.query(`alter table job add column kind text not null default 'forget_number'`)
  await world.db.query(
    `insert into job (kind, key, data, run_at) values ('mail', 'a, "key"', '{}', 'infinity')`,
  )
  const columns = 'select id, kind, key, data, run_at::text as run_at, attempts from job'
  const dump = new PassThrough()
  const fresh = await openEmbedded(join(directory, 'fresh'))
  try {
    await Promise.all([dumpRows(world.db, dump), loadRows(fresh, dump, world.clock.now())])
    const rows = await fresh.query(columns)
    expect(rows).toMatchObject([{ kind: 'mail', key: 'a, "key"', run_at: 'infinity' }])
    expect(rows).toEqual(await world.db.query(columns))
  } finally {
    await fresh.close()
  }
})

test('no empty database is made where a restore broke off', async () => {
  const broken = join(directory, 'broken')
  mkdirSync(join(broken, 'pg-until-2026-01-02T03-04-05-000Z'), { recursive: true })
  mkdirSync(join(broken, 'restoring', 'pg'), { recursive: true })
  const started = openDatabase({ databaseUrl: undefined, databasePool: 1 }, broken)
  await expect(started).rejects.toThrow(
    `Run npm run restore again, or put the previous database back: mv ${join(broken, 'pg-until-2026-01-02T03-04-05-000Z')} ${join(broken, 'pg')}`,
  )
  expect(readdirSync(broken)).toEqual(['pg-until-2026-01-02T03-04-05-000Z', 'restoring'])
  rmSync(join(broken, 'pg-until-2026-01-02T03-04-05-000Z'), { recursive: true })
  expect(() => requireNoBrokenRestore(broken)).toThrow('or remove ')
  mkdirSync(join(broken, 'pg'))
  expect(() => requireNoBrokenRestore(broken)).not.toThrow()
  expect(() => requireNoBrokenRestore(join(directory, 'not-there'))).not.toThrow()
})

test('a file that a killed backup left is in no other’s way', async () => {
  const path = join(directory, 'a.backup')
  const write = (fail: boolean) =>
    writeBackup(path, { engine: 'embedded', takenAt: world.clock.now().toISOString() }, async into => {
      if (fail) throw new Error('cut off')
      // As in a container, where every process has the same number.
      await writeBackup(
        path,
        { engine: 'embedded', takenAt: world.clock.now().toISOString() },
        async inner => {
          inner.end('inner')
        },
      )
      into.end('outer')
    })
  await expect(write(true)).rejects.toThrow('cut off')
  expect((await write(false)).bytes).toBe(5)
})
