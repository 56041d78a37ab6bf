import { afterAll, expect, test } from 'vitest'
import { DatabaseUnavailable } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { readFacts } from '#server/observability/facts.ts'
import { projectEngine } from '#support/engine.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWeb } from '#support/web.ts'

/** After a failover what was the primary may go on answering, as a standby: a session with it is never of use again. */

const engine = await projectEngine()
if (engine.kind !== 'postgres') throw new Error('these tests are about PostgreSQL')
const admin = await openPostgres(engine.serverUrl, { poolSize: 1 })
afterAll(() => admin.close())
const web = keepForFile(await createWeb())
const name = new URL(web.databaseUrl ?? '').pathname.slice(1)

/** As a standby rejects it, with the same SQLSTATE; a session keeps the state it was opened with. */
const newSessionsAre = (kind: 'read only' | 'primary') =>
  admin.query(
    `alter database ${name} set default_transaction_read_only = ${kind === 'read only' ? 'on' : 'off'}`,
  )
const cutSessions = () =>
  admin.query('select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = $1', [name])
const readiness = async () => {
  const { statusCode, body } = await web.app.inject({ url: '/readyz' })
  return { statusCode, body: JSON.parse(body) as unknown }
}
const register = (email: string) =>
  web.app.inject({
    method: 'POST',
    url: '/api/auth/register',
    payload: { email, password: 'correct horse battery' },
  })

test('a read-only session is closed, whatever used it, and the same pool writes again', async () => {
  await newSessionsAre('read only')
  const pool = await openPostgres(web.databaseUrl ?? '', { poolSize: 1 })
  try {
    const write = () => pool.query('update reconciliation set differences = 0 where false')
    const [first] = await pool.query('select pg_backend_pid() as pid')
    expect(await pool.query('select pg_backend_pid() as pid')).toEqual([first])
    const refused = await write().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(DatabaseUnavailable)
    expect(refused).toMatchObject({
      cause: { code: '25006' },
      message: expect.stringContaining('is read-only'),
    })
    expect(await pool.query('select pg_backend_pid() as pid')).not.toEqual([first])

    await newSessionsAre('primary')
    const inside = pool.transaction(tx => tx.query('update reconciliation set differences = 0 where false'))
    await expect(inside).rejects.toBeInstanceOf(DatabaseUnavailable)
    await write()
  } finally {
    await newSessionsAre('primary')
    await pool.close()
  }
})

test('people are told to try again, and the process reports not ready, until there is a primary', async () => {
  expect(await readiness()).toEqual({ statusCode: 200, body: { status: 'ready' } })
  await newSessionsAre('read only')
  await cutSessions()
  try {
    await expect.poll(readiness).toEqual({ statusCode: 503, body: { status: 'database unavailable' } })
    const refused = await register('person@example.com')
    expect(refused.statusCode).toBe(503)
    expect(refused.headers['retry-after']).toBe('2')
    expect(refused.json().error.code).toBe('unavailable')
    await expect(readFacts(web.db, web.clock)).rejects.toBeInstanceOf(DatabaseUnavailable)
    // It can be read, and the session stays.
    await web.db.query('select 1')
  } finally {
    await newSessionsAre('primary')
  }
  // That asking gives it up too, should nobody have written meanwhile.
  expect((await readiness()).statusCode).toBe(503)
  expect(await readiness()).toEqual({ statusCode: 200, body: { status: 'ready' } })
  expect((await register('person@example.com')).statusCode).toBe(202)
  await readFacts(web.db, web.clock)
})
