// @module-tag slow
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { login } from '#server/accounts/sign-in/sign-in.ts'
import { chargeDueMinutes } from '#server/calls/metering/meter.ts'
import { reconcileCalls } from '#server/calls/settlement/reconcile-calls.ts'
import type { Db } from '#server/db/port.ts'
import { unknownDevice } from '#server/identity/device-name.ts'
import { type BackupWorld, createBackupWorld, type Place } from '#support/backup-world.ts'
import { findBreaches } from '#support/books.ts'
import { connectCall, createSimulatedNetwork } from '#support/simulated-network.ts'

/** 0.02 USD a minute. */
const american = '+12125550100'

let backups: BackupWorld
beforeAll(async () => {
  backups = await createBackupWorld()
})
afterEach(() => backups.leave())
afterAll(() => backups.close())

/** A file of the test's. */
const file = (name: string) => join(backups.directory, name)

test('a backup taken while calls are charged is one moment of the books: restored, they are right and people sign in', async () => {
  const users = await Promise.all([1, 2, 3, 4].map(() => backups.world.addUser({ credit: 100 })))
  for (const user of users) await connectCall(backups.world.control, user.id, american)
  const path = file('running.backup')
  let taken = false
  const backup = backups.command('backup', backups.here, path).finally(() => {
    taken = true
  })
  // As the server's own loop does it, and for less than the hour that a call may last.
  for (let minutes = 0; !taken; minutes += 1) {
    if (minutes < 50) backups.world.clock.advance(60_000)
    await chargeDueMinutes(backups.world.services)
    await new Promise(resolve => setTimeout(resolve, 100))
  }
  expect(await backup).toMatchObject({ code: 0, stderr: '' })
  expect(statSync(path).mode & 0o777).toBe(0o600)
  backups.world.clock.advance(60_000)
  await chargeDueMinutes(backups.world.services)
  expect(await findBreaches(backups.world.db)).toEqual([])

  const there = await backups.elsewhere()
  const restored = await backups.command('restore', there, path)
  expect(restored).toMatchObject({ code: 0, stderr: '' })
  expect(restored.stdout).toContain('Its books are right.')
  const db = await backups.open(there)
  expect(await findBreaches(db)).toEqual([])
  const services = { ...backups.world.services, db, nodeId: 'another', telephony: createSimulatedNetwork() }
  const count = async (of: Db) =>
    (await of.query<{ n: number }>('select count(*)::int as n from transfer'))[0]?.n ?? 0
  expect(await count(db)).toBeGreaterThan(users.length)
  expect(await count(db)).toBeLessThan(await count(backups.world.db))

  // The calls that were live then belong to no process any more: they ended at their last sign of life.
  backups.world.clock.advance(60_000)
  expect(await reconcileCalls(services, 0)).toBe(users.length)
  expect(await db.query(`select id from call where state <> 'ended'`)).toEqual([])
  expect(await findBreaches(db)).toEqual([])
  const [email] = users.map(user => user.email)
  const entered = await login(
    services,
    { email: email ?? '', password: 'correct horse battery' },
    { device: unknownDevice, address: '127.0.0.1' },
  )
  expect(entered.ok).toBe(true)
  // New rows get numbers that are free.
  await db.query(
    `insert into audit_entry (actor, action, subject, detail, at) values ('test', 'test', 'test', '{}', now())`,
  )
})

test('rejects a file that is cut off, altered or not ours before anything is touched', async () => {
  const whole = readFileSync(file('running.backup'))
  const altered = Buffer.from(whole)
  altered[whole.length - 100] = (altered[whole.length - 100] ?? 0) ^ 1
  const there = await backups.elsewhere()
  for (const [bytes, says] of [
    [whole.subarray(0, whole.length - 10), 'is damaged'],
    [altered, 'is damaged'],
    [Buffer.from('PGDMP'), 'is not a backup of Farline'],
  ] as const) {
    writeFileSync(file('broken.backup'), bytes)
    expect(await backups.command('restore', there, file('broken.backup'))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(says),
    })
  }
  expect(await backups.command('restore', there, file('nowhere.backup'))).toMatchObject({ code: 1 })
  if (there['DATABASE_URL'] === undefined) expect(readdirSync(there['DATA_DIR'] ?? '')).toEqual([])
  else
    expect(
      await (await backups.open(there)).query('select tablename from pg_tables where schemaname = $1', [
        'public',
      ]),
    ).toEqual([])
})

test('a backup that cannot be taken leaves no file', async () => {
  const before = readdirSync(backups.directory)
  const nowhere: Place =
    backups.world.databaseUrl === undefined
      ? { DATA_DIR: join(backups.directory, 'nothing-here') }
      : { DATABASE_URL: `${backups.world.databaseUrl}_gone` }
  const failed = await backups.command('backup', nowhere, file('never.backup'))
  expect(failed).toMatchObject({ code: 1, stdout: '' })
  expect(readdirSync(backups.directory)).toEqual(before)
  expect(await backups.command('backup', backups.here)).toMatchObject({ code: 2 })
  expect(
    await backups.command('backup', backups.here, join(backups.directory, 'no', 'such', 'folder')),
  ).toMatchObject({ code: 1 })
})
