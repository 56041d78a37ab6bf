import { migrationNames } from '../db/migrate.ts'
import type { Db } from '../db/port.ts'
import { openPostgres } from '../db/postgres.ts'
import { readPostgresAddress } from '../db/postgres-address.ts'
import { type Check, checkTimeoutMs, type Finding, type Findings } from '../process/finding.ts'
import { StartError } from '../process/start-error.ts'

/** Max clock difference to the database: well below the time after which one process takes another for dead. */
const maxClockDifferenceMs = 2000

/** `openPostgres` rejects old versions and non-UTF-8; `checkDirectory` covers the embedded database. */
export function checkDatabase({
  databaseUrl,
  databasePool,
  redisUrl,
}: {
  readonly databaseUrl: string
  readonly databasePool: number
  readonly redisUrl: string | undefined
}): Check {
  return {
    about: 'Database',
    run: async find => {
      let db: Awaited<ReturnType<typeof openPostgres>>
      try {
        db = await openPostgres(databaseUrl, { poolSize: 1, connectMs: checkTimeoutMs - 1000 })
      } catch (error) {
        if (!(error instanceof StartError)) throw error
        return [find.problem(error.message, 'The server does not start without the database.')]
      }
      try {
        return [
          ...(await checkServer(db, find, readPostgresAddress(databaseUrl).database)),
          ...(await checkSchema(db, find)),
          await checkClock(db, find),
          ...(await checkProcesses(db, find, { databasePool, redisUrl })),
        ]
      } finally {
        await db.close()
      }
    },
  }
}

async function checkServer(db: Db, find: Findings, name: string): Promise<Finding[]> {
  const [server] = await db.query<{
    version: string
    encoding: string
    standby: boolean
  }>(
    `select current_setting('server_version') as version, pg_encoding_to_char(encoding) as encoding,
       pg_is_in_recovery() as standby
     from pg_database where datname = current_database()`,
  )
  if (server === undefined) return []
  const { version, encoding, standby } = server
  const found = [find.ok(`PostgreSQL ${version}, database ${name}, ${encoding}.`)]
  if (standby) {
    found.push(find.problem('It is a standby, which is read-only.', 'Set DATABASE_URL to the primary.'))
  }
  return found
}

async function checkSchema(db: Db, find: Findings): Promise<Finding[]> {
  const known = await migrationNames()
  const [rights] = await db.query<{ creates: boolean; holds: boolean }>(
    `select has_schema_privilege('public', 'create') as creates,
       to_regclass('public.schema_migration') is not null as holds`,
  )
  const applied = rights?.holds
    ? (await db.query<{ name: string }>('select name from schema_migration')).map(({ name }) => name)
    : []
  const pending = known.filter(name => !applied.includes(name))
  const newer = applied.filter(name => !known.includes(name))
  const found: Finding[] = []
  if (newer.length > 0) {
    found.push(
      find.warning(
        `A newer version of Farline has migrated it (${newer.join(', ')}).`,
        'This is normal during a roll-out. Otherwise start the newer version.',
      ),
    )
  }
  if (pending.length === 0) return [...found, find.ok('Its tables are up to date.')]
  found.push(
    rights?.creates
      ? find.ok(
          applied.length === 0
            ? 'It is empty: the next start creates the tables.'
            : `The next start runs pending migrations (${pending.length}).`,
        )
      : find.problem(
          'The database user may not create tables.',
          'Make it the owner of the database: alter database <name> owner to <user>',
        ),
  )
  return found
}

async function checkClock(db: Db, find: Findings): Promise<Finding> {
  const before = Date.now()
  const [row] = await db.query<{ now: Date }>('select clock_timestamp() as now')
  const between = (before + Date.now()) / 2
  const differenceMs = Math.abs((row?.now.getTime() ?? between) - between)
  const seconds = (differenceMs / 1000).toFixed(1)
  return differenceMs <= maxClockDifferenceMs
    ? find.ok(`Its clock and this machine's differ by only ${seconds} seconds.`)
    : find.warning(
        `Its clock and this machine's differ by ${seconds} seconds.`,
        'Set both clocks by NTP: a process decides by timestamps in the database whether another one is dead.',
      )
}

async function checkProcesses(
  db: Db,
  find: Findings,
  { databasePool, redisUrl }: { databasePool: number; redisUrl: string | undefined },
): Promise<Finding[]> {
  if (redisUrl !== undefined) return []
  const [row] = await db.query<{ sessions: number }>(
    `select count(*)::int as sessions from pg_stat_activity
     where datname = current_database() and application_name = current_setting('application_name') and pid <> pg_backend_pid()`,
  )
  if ((row?.sessions ?? 0) <= databasePool) return []
  return [
    find.warning(
      `More connections are open than one process opens (${row?.sessions}), but REDIS_URL is not set.`,
      'If several server processes run, set REDIS_URL: without it, each has its own live updates and limits.',
    ),
  ]
}
