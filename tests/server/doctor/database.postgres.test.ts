import { afterEach, beforeEach, expect, inject, test } from 'vitest'
import { openPostgres } from '#server/db/postgres.ts'
import { checkDatabase } from '#server/doctor/database.ts'
import { createDatabase, type OwnDatabase } from '#support/postgres.ts'
import { found } from './examine.ts'

let own: OwnDatabase
const serverUrl = (): string => {
  const engine = inject('engine')
  if (engine?.kind !== 'postgres') throw new Error('this test needs PostgreSQL')
  return engine.serverUrl
}
beforeEach(async () => {
  own = await createDatabase(serverUrl())
})
afterEach(() => own.drop())

const database = (
  databaseUrl = own.url,
  { databasePool = 10, redisUrl = undefined as string | undefined } = {},
) => found(checkDatabase({ databaseUrl, databasePool, redisUrl }))

async function run(sql: string): Promise<void> {
  const db = await openPostgres(own.url, { poolSize: 1 })
  await db.query(sql).finally(() => db.close())
}

test('a database that is up to date, with its version, its encoding and its clock', async () => {
  expect(await database()).toEqual([
    expect.stringMatching(/^ok: PostgreSQL [\d.]+.*, database farline_\w+, UTF8\.$/),
    'ok: Its tables are up to date.',
    expect.stringMatching(/^ok: Its clock and this machine's differ by only 0\.\d seconds\.$/),
  ])
})

test('an empty one, one that is behind, and one that a newer version has changed', async () => {
  const empty = await createDatabase(serverUrl(), 'empty')
  expect(await database(empty.url)).toContain('ok: It is empty: the next start creates the tables.')
  await empty.drop()
  await run(`delete from schema_migration where name = '0001_accounts.sql'`)
  expect(await database()).toContain('ok: The next start runs pending migrations (1).')
  await run(`insert into schema_migration (name, applied_at) values ('9999_future.sql', now())`)
  expect((await database()).join('\n')).toMatch(
    /warning: A newer version of Farline has migrated it .*9999_future/,
  )
})

test('reports a rejected password, and a database that is not there, without the password', async () => {
  const refused = await database(Object.assign(new URL(own.url), { password: 'hunter2' }).href)
  expect(refused).toEqual([expect.stringMatching(/^problem: The PostgreSQL at .* rejects the password/)])
  expect(refused.join()).not.toContain('hunter2')
  expect(await database(`${own.url}_gone`)).toEqual([
    expect.stringMatching(/has no database farline_\w+_gone/),
  ])
})

test('a user who may not make the tables that are missing', async () => {
  const name = `guest_${new URL(own.url).pathname.slice(9)}`
  await run(`create role ${name} login password 'secret'`)
  await run('revoke create on schema public from public')
  await run(`grant select on schema_migration to ${name}`)
  await run(`delete from schema_migration where name = '0001_accounts.sql'`)
  const guest = Object.assign(new URL(own.url), { username: name, password: 'secret' }).href
  expect(await database(guest)).toContain('problem: The database user may not create tables.')
  await run(`revoke all on schema_migration from ${name}`)
  await run(`drop role ${name}`)
})

test('an encoding that names of people do not fit in', async () => {
  const latin = `latin_${new URL(own.url).pathname.slice(9)}`
  await run(`create database ${latin} encoding 'LATIN1' locale 'C' template template0`)
  const lines = await database(Object.assign(new URL(own.url), { pathname: latin }).href)
  await run(`drop database ${latin} with (force)`)
  expect(lines).toEqual([expect.stringMatching(/^problem: The database latin_\w+ has the encoding LATIN1/)])
})

test('more sessions than one process opens, and no Redis', async () => {
  const several = await openPostgres(own.url, { poolSize: 3 })
  await Promise.all([1, 2, 3].map(() => several.query('select pg_sleep(0.1)')))
  const warning = expect.stringMatching(/^warning: More connections are open than one process opens \(3\)/)
  expect(await database(own.url, { databasePool: 2 })).toContainEqual(warning)
  expect(await database(own.url, { databasePool: 2, redisUrl: 'redis://localhost' })).not.toContainEqual(
    warning,
  )
  expect(await database(own.url, { databasePool: 3 })).not.toContainEqual(warning)
  await several.close()
})
