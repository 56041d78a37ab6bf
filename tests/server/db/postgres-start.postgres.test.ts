import { createServer, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres, requireUsable } from '#server/db/postgres.ts'
import { StartError } from '#server/process/start-error.ts'
import { projectEngine } from '#support/engine.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'
import { findFreePort } from '#support/test-server.ts'

let own: OwnDatabase
beforeAll(async () => {
  const engine = await projectEngine()
  if (engine.kind !== 'postgres') throw new Error('these tests are about PostgreSQL')
  own = await createDatabase(engine.serverUrl, 'empty')
})
afterAll(() => own.drop())

/** The message for a person who starts the server with this address. */
async function explanation(change: (url: URL) => void): Promise<string> {
  const url = new URL(own.url)
  change(url)
  try {
    await (await openPostgres(url.href, { connectMs: 500 })).close()
  } catch (error) {
    if (!(error instanceof StartError)) throw error
    expect(error.message).not.toContain(url.password)
    expect(String(error.cause)).not.toContain(url.password)
    return error.message
  }
  return 'it opened'
}

test('the right address opens', async () => {
  expect(await explanation(() => {})).toBe('it opened')
})

test('a wrong password', async () => {
  expect(
    await explanation(url => {
      url.password = 'not-the-password'
    }),
  ).toMatch(
    /^The PostgreSQL at 127\.0\.0\.1:\d+ rejects the password of user farline\. Correct it in DATABASE_URL\.$/,
  )
})

test('an unknown user is reported as a wrong password: the server does not say which', async () => {
  expect(
    await explanation(url => {
      url.username = 'stranger'
    }),
  ).toMatch(/rejects the password of user stranger\./)
})

test('a database that does not exist', async () => {
  expect(
    await explanation(url => {
      url.pathname = '/nothing-here'
    }),
  ).toMatch(/has no database nothing-here\. Create it \(createdb -O farline nothing-here\)/)
})

test('nothing listens', async () => {
  const port = await findFreePort()
  expect(
    await explanation(url => {
      url.port = String(port)
    }),
  ).toBe(
    `The PostgreSQL at 127.0.0.1:${port} cannot be reached: nothing listens there. Start it, or correct DATABASE_URL.`,
  )
})

test('a database that cannot hold every character', async () => {
  const admin = await openPostgres(own.url, { poolSize: 1 })
  const name = `${new URL(own.url).pathname.slice(1)}_latin`
  await admin.query(`create database ${name} template template0 encoding 'LATIN1' locale 'C'`)
  expect(
    await explanation(url => {
      url.pathname = `/${name}`
    }),
  ).toMatch(new RegExp(`^The database ${name} has the encoding LATIN1, .*createdb -T template0 -E UTF8`))
  await admin.query(`drop database ${name} with (force)`)
  await admin.close()
})

test('a PostgreSQL that is too old', async () => {
  // None so old is at hand: what it would say of itself.
  const query = async <Row>() => [{ version: 13, encoding: 'UTF8' } as Row]
  await expect(requireUsable({ database: 'farline' }, { query })).rejects.toThrow(
    /runs on PostgreSQL 13\. Farline needs 14 or newer/,
  )
})

test('a host name that leads nowhere', async () => {
  expect(
    await explanation(url => {
      url.hostname = 'nowhere.invalid'
    }),
  ).toMatch(/^The PostgreSQL at nowhere\.invalid:\d+ cannot be (reached|used)/)
})

test.each([
  ['says nothing', () => {}],
  ['hangs up at once', (socket: Socket) => socket.destroy()],
])('something listens that is no PostgreSQL and %s', async (_what, answer) => {
  const sockets: Socket[] = []
  const listener = createServer(socket => {
    sockets.push(socket)
    answer(socket)
  })
  await new Promise<void>(resolve => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  expect(
    await explanation(url => {
      url.port = String(port)
    }),
  ).toMatch(/does not answer|closed the connection|cannot be used/)
  for (const socket of sockets) socket.destroy()
  await new Promise(resolve => listener.close(resolve))
})

test('TLS is demanded where there is none', async () => {
  expect(
    await explanation(url => {
      url.searchParams.set('sslmode', 'require')
    }),
  ).toMatch(/closed the connection\. Check .* TLS if DATABASE_URL requires it/)
})

test('a stricter isolation that the database has for default does not reach us', async () => {
  const admin = await openPostgres(own.url, { poolSize: 1 })
  const name = new URL(own.url).pathname.slice(1)
  await admin.query(`alter database ${name} set default_transaction_isolation = 'serializable'`)
  const db = await openPostgres(own.url, { poolSize: 1 })
  expect(await db.query('show transaction_isolation')).toEqual([{ transaction_isolation: 'read committed' }])
  await db.close()
  await admin.query(`alter database ${name} reset default_transaction_isolation`)
  await admin.close()
})
