// @module-tag slow
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedDatabase, openEmbedded } from '#server/db/embedded.ts'

const directory = mkdtempSync(join(tmpdir(), 'farline-embedded-'))
let db: EmbeddedDatabase
beforeAll(async () => {
  db = await openEmbedded(directory)
  await db.query('create table note (id int primary key, body text)')
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

test('rejects a second opener, in this process and in another', async () => {
  await expect(openEmbedded(directory)).rejects.toThrow(/is in use by another Farline process/)
  const script = `import('${join(import.meta.dirname, '../../../server/db/embedded.ts')}')
    .then(({ openEmbedded }) => openEmbedded(${JSON.stringify(directory)}))
    .then(() => console.log('opened'), error => console.log(error.name))`
  const { stdout } = await promisify(execFile)(process.execPath, ['-e', script])
  expect(stdout.trim()).toBe('DirectoryInUse')
})
