// @module-tag slow
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openAdminSocket } from '#server/admin/admin-socket.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { fillDirectory } from '#support/embedded-template.ts'
import { createWorld } from '#support/world.ts'

const root = join(import.meta.dirname, '..', '..', '..')

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'farline-ledger-'))
  fillDirectory(directory)
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

/** The command as an operator runs it. */
async function ledgerCheck(environment: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['server/ledger-check.ts'], {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', DATA_DIR: directory, ...environment },
  })
  let [stdout, stderr] = ['', '']
  child.stdout.on('data', chunk => (stdout += String(chunk)))
  child.stderr.on('data', chunk => (stderr += String(chunk)))
  const [code] = await once(child, 'close')
  return { code, stdout, stderr }
}

/** What is about the data directory is the same beside PostgreSQL. */
const elsewhere = inject('engine')?.kind === 'postgres'

test.skipIf(elsewhere)(
  'books in a database of the data directory are right or named wrong, and stay as they are',
  async () => {
    const filled = await openEmbedded(directory)
    await migrate(filled, new Date())
    await filled.close()
    const right = await ledgerCheck()
    expect(right).toMatchObject({ code: 0, stderr: '' })
    expect(right.stdout).toMatch(/^The books are right: 0 transfers, \d+ checks of I1 to I5\.\n$/)

    const wrong = await openEmbedded(directory)
    await wrong.query(
      `insert into transfer (key, debit_account, credit_account, amount, created_at)
     select 'call:odd:1', min(id), max(id), 5, now() from account`,
    )
    await wrong.close()
    const found = await ledgerCheck()
    expect(found).toMatchObject({ code: 1, stdout: '' })
    expect(found.stderr).toContain('Broken in 1 rows: I3 a posting of a call says which call')
    expect(found.stderr).toContain('{"subject":"1","key":"call:odd:1","call_id":null}')
  },
)

test.skipIf(elsewhere)('what is no database, or an empty one, is said', async () => {
  expect(await ledgerCheck({ DATA_DIR: join(directory, 'nowhere') })).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('There is no database in'),
  })
  rmSync(directory, { recursive: true })
  await (await openEmbedded(directory)).close()
  expect(await ledgerCheck()).toMatchObject({
    code: 2,
    stderr: 'This database lacks the tables of this version. Start the server once: npm start\n',
  })
})

test('the books of a running server are checked while it runs', async () => {
  const world = await createWorld()
  await world.addUser({ credit: 5 })
  const right = { code: 0, stdout: expect.stringContaining('The books are right: 1 transfers,') }
  if (world.databaseUrl !== undefined) {
    expect(await ledgerCheck({ DATABASE_URL: world.databaseUrl })).toMatchObject(right)
  } else {
    // The embedded database is held by its server, which is asked through its admin socket.
    const database = await openEmbedded(directory)
    const adminSocket = await openAdminSocket(directory, world.services)
    expect(await ledgerCheck()).toMatchObject(right)
    await adminSocket.close()
    await database.close()
  }
  await world.close()
})

test.skipIf(!elsewhere)('reports in a sentence a ledger that could not be read to its end', async () => {
  const world = await createWorld()
  const checking = await world.db.transaction(async tx => {
    await tx.query('lock table transfer in access exclusive mode')
    const running = ledgerCheck({ DATABASE_URL: world.databaseUrl ?? '' })
    const cut = () =>
      world.db.query(`select pg_terminate_backend(pid, 10000) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like '%from transfer%'`)
    await expect.poll(cut, { timeout: 30_000 }).toHaveLength(1)
    return { running }
  })
  expect(await checking.running).toEqual({
    code: 2,
    stdout: '',
    stderr:
      'The ledger was not read to its end: the connection to the database was lost. Run this again when the database answers.\n',
  })
  await world.close()
})
