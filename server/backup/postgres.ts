import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { hourMs } from '#lib/time.ts'
import { advisoryLock } from '../db/migrate.ts'
import { openPostgres } from '../db/postgres.ts'
import { readPostgresAddress } from '../db/postgres-address.ts'
import { StartError } from '../process/start-error.ts'
import { type Environment, libpqVariables } from './libpq.ts'
import { withoutTransactionTimeout } from './older-server.ts'

type Program = 'pg_dump' | 'pg_restore' | 'psql'

/** Writes a consistent snapshot with pg_dump, without blocking other work. */
export async function dumpPostgres(
  databaseUrl: string,
  environment: Environment,
  into: Writable,
): Promise<void> {
  const run = begin('pg_dump', ['--format=custom', '--no-owner', '--no-privileges'], databaseUrl, environment)
  run.child.stdin?.end()
  await Promise.all([pipeline(run.output, into), run.ended])
}

/**
 * Fills a database from an archive of `dumpPostgres`, all or nothing. Servers that start meanwhile wait for it.
 * @param overwrite drops all that the schema `public` holds, in the same transaction
 * @throws StartError while anyone else is connected, or when the database is not empty and may not be overwritten
 */
export async function restorePostgres(
  databaseUrl: string,
  environment: Environment,
  { archive, overwrite }: { archive: Readable; overwrite: boolean },
): Promise<void> {
  await requireLeftAlone(databaseUrl, overwrite)
  const reading = begin('pg_restore', ['--no-owner', '--no-privileges', '--file=-'], databaseUrl, environment)
  const writing = begin(
    'psql',
    ['--no-psqlrc', '--quiet', '--set=ON_ERROR_STOP=1', '--output=/dev/null', '--file=-'],
    databaseUrl,
    environment,
  )
  const { stdin: script } = writing.child
  if (script === null || reading.child.stdin === null) throw new Error('a program without its input')
  // A program that ends early reports the cause itself.
  for (const stream of [script, reading.child.stdin]) stream.on('error', () => {})
  script.write(`begin;\nselect pg_advisory_xact_lock(${advisoryLock});\n${overwrite ? dropEverything : ''}`)
  const read = Promise.all([
    pipeline(archive, reading.child.stdin).catch(ignoreBrokenPipe),
    pipeline(reading.output, withoutTransactionTimeout(), keptOpen(script)).catch(ignoreBrokenPipe),
    reading.ended,
  ])
  // Without the final commit everything is rolled back.
  const whole = read.then(
    () => void script.end('\ncommit;\n'),
    error => {
      script.end()
      throw error
    },
  )
  const [, written] = await Promise.allSettled([whole, writing.ended])
  // If both fail, the database's error is the cause.
  if (written.status === 'rejected') throw written.reason
  await whole
}

function keptOpen(stream: Writable): Writable {
  return new Writable({
    write: (chunk, _encoding, done) => {
      if (stream.destroyed) return done(Object.assign(new Error('the program has ended'), { code: 'EPIPE' }))
      if (stream.write(chunk)) done()
      else once(stream, 'drain', { signal: AbortSignal.timeout(hourMs) }).then(() => done(), done)
    },
  })
}

function ignoreBrokenPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error
}

async function requireLeftAlone(databaseUrl: string, overwrite: boolean): Promise<void> {
  const db = await openPostgres(databaseUrl, { poolSize: 1 })
  try {
    // Only the role of another role's connection is visible; the database's own workers have none.
    const others = await db.query<{ name: string }>(
      `select distinct coalesce(nullif(application_name, ''), 'without a name') as name from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid()
         and (backend_type = 'client backend' or (backend_type is null and usesysid is not null)) order by 1`,
    )
    if (others.length > 0) {
      throw new StartError(
        `Somebody is connected to the database (${others.map(({ name }) => name).join(', ')}). Stop every server, and whatever else uses it, first.`,
      )
    }
    const [held] = await db.query<{ tables: number }>(
      `select count(*)::int as tables from pg_class join pg_namespace on pg_namespace.oid = relnamespace
       where relkind in ('r', 'p', 'v', 'm', 'S') and nspname !~ '^pg_' and nspname <> 'information_schema'`,
    )
    if (!overwrite && held?.tables !== 0) {
      throw new StartError(
        'The database is not empty. Name an empty one in DATABASE_URL (createdb), or add --overwrite: its contents are then dropped.',
      )
    }
  } finally {
    await db.close()
  }
}

/** Works for an owner of the tables who does not own the schema. */
const dropEverything = `do $$ declare act text; begin
  for act in select format('drop table if exists %I.%I cascade', schemaname, tablename) from pg_tables where schemaname = 'public'
    union all select format('drop view if exists %I.%I cascade', schemaname, viewname) from pg_views where schemaname = 'public'
    union all select format('drop sequence if exists %I.%I cascade', schemaname, sequencename) from pg_sequences where schemaname = 'public'
  loop execute act; end loop;
  for act in select format('drop routine if exists %s cascade', pg_proc.oid::regprocedure) from pg_proc
    where pronamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
    union all select format('drop type if exists %s cascade', pg_type.oid::regtype) from pg_type
    where typnamespace = 'public'::regnamespace and typtype in ('d', 'e')
      and not exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')
  loop execute act; end loop;
end $$;
`

interface Run {
  readonly child: ChildProcess
  readonly output: Readable
  /** @throws StartError with the program's error output, on failure */
  readonly ended: Promise<void>
}

/** Starts one of PostgreSQL's programs. The password is passed in the environment: arguments are visible to everybody. */
function begin(program: Program, args: string[], databaseUrl: string, environment: Environment): Run {
  const path = findProgram(program, environment)
  const options = {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: {
      ...environment,
      ...libpqVariables(readPostgresAddress(databaseUrl), environment, () => versionOf(path)),
    },
  } satisfies SpawnOptions
  const child = spawn(path, args, options)
  const said = text(child.stderr)
  const ended = once(child, 'close').then(
    async ([code]) => {
      if (code !== 0) throw new StartError(`${program} failed:\n${(await said).trim()}`)
    },
    (error: NodeJS.ErrnoException) => {
      throw error.code === 'ENOENT' ? missing(program) : error
    },
  )
  // Where several programs fail, only one failure is reported.
  ended.catch(() => {})
  return { child, output: child.stdout, ended }
}

/** The major version of a program and its libpq; 0 if unknown. */
function versionOf(path: string): number {
  const { stdout } = spawnSync(path, ['--version'], { encoding: 'utf8' })
  return Number(/\(PostgreSQL\) (\d+)/.exec(stdout ?? '')?.[1] ?? 0)
}

const debian = '/usr/lib/postgresql'

/** Looks in PATH, then in Debian's directories, newest first: the newest can read every server. */
function findProgram(program: Program, environment: Environment): string {
  const versions = existsSync(debian) ? readdirSync(debian) : []
  const directories = [
    ...(environment.PATH ?? '').split(delimiter).filter(directory => directory !== ''),
    ...versions
      .sort((one, other) => Number(other) - Number(one))
      .map(version => join(debian, version, 'bin')),
  ]
  const found = directories.map(directory => join(directory, program)).find(path => existsSync(path))
  if (found === undefined) throw missing(program)
  return found
}

function missing(program: Program): StartError {
  return new StartError(
    `${program} is not installed here: it comes with PostgreSQL's client programs, of the server's version or newer. ` +
      'Debian and Ubuntu: apt-get install postgresql-client',
  )
}
