import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, expect, inject, test } from 'vitest'
import { openPostgres } from '#server/db/postgres.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'
import { endRuns, environment, run } from '#support/server-run.ts'
import { findFreePort } from '#support/test-server.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const serverUrl = (): string => {
  const engine = inject('engine')
  if (engine?.kind !== 'postgres') throw new Error('this test needs PostgreSQL')
  return engine.serverUrl
}

const databases: OwnDatabase[] = []
afterEach(async () => {
  await endRuns()
  for (const own of databases.splice(0)) await own.drop()
})

test('the server on PostgreSQL: says why it cannot start, starts, is given credit by its operator, stops', async () => {
  const env = { ...(await environment()), NODE_ENV: 'test' }
  const refused = run({
    ...env,
    DATABASE_URL: Object.assign(new URL(serverUrl()), { password: 'not-the-password' }).href,
  })
  expect(await refused.exitCode()).toBe(1)
  expect(refused.output()).toMatch(/^The PostgreSQL at .* Correct it in DATABASE_URL\.\n$/)
  expect(refused.output()).not.toContain('not-the-password')

  const own = await createDatabase(serverUrl(), 'empty')
  databases.push(own)
  const { url } = own
  const first = run({ ...env, DATABASE_URL: url })
  await first.until(/ready/)
  const origin = `http://localhost:${env.PORT}`
  const registered = await fetch(`${origin}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin },
    body: JSON.stringify({ email: 'ann@example.com', password: 'correct horse battery' }),
  })
  expect(registered.ok).toBe(true)

  const second = run({ ...env, PORT: String(await findFreePort()), DATABASE_URL: url })
  expect(await second.exitCode()).toBe(1)
  expect(second.output()).toMatch(/is in use by another Farline process/)

  // With the local exchange it is the only one on its database, whatever directory the other has.
  const third = run({ ...(await environment()), NODE_ENV: 'test', DATABASE_URL: url })
  expect(await third.exitCode()).toBe(1)
  expect(third.output()).toMatch(
    /^Another Farline process is running on this database, .*Stop that process first/,
  )

  const credit = ['server/admin.ts', 'credit', 'ann@example.com', '5', '--reason', 'a test']
  const { stdout } = await promisify(execFile)(process.execPath, credit, {
    cwd: root,
    env: { PATH: process.env.PATH ?? '', ...env },
  })
  expect(stdout).toBe('Credited $5.00 to ann@example.com. The balance is $5.00.\n')

  first.child.kill('SIGTERM')
  expect(await first.exitCode()).toBe(0)
  const db = await openPostgres(url)
  expect(await db.query(`select balance from account where kind = 'customer'`)).toEqual([
    { balance: 5_000_000 },
  ])
  await db.close()
}, 180_000)
