import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../process/start-error.ts'
import { DatabaseUnavailable, type MigratableDatabase, type Session } from './port.ts'

const ownDirectory = join(import.meta.dirname, 'migrations')

/** Arbitrary, but unique among the advisory locks of this database. */
export const advisoryLock = 4_276_545

/** Queries queue behind a migration that waits for a table's lock. Short, repeated waits let processes answer in time. */
const defaultRetryPolicy = { lockMs: 1000, pauseMs: 1000, tries: 60 }

export interface MigrateOptions {
  readonly onNewer?: (names: readonly string[]) => void
  readonly directory?: string
  readonly retryPolicy?: typeof defaultRetryPolicy
}

export async function migrationNames(directory = ownDirectory): Promise<string[]> {
  const names = await readdir(directory)
  return names.filter(name => /^\d{4}_.+\.sql$/.test(name)).sort()
}

/**
 * Runs each pending file once, in order, in a transaction of its own; one that begins with `-- no transaction` runs
 * statement by statement. Processes that start together take turns; older ones go on meanwhile (ADR-31).
 * @returns the names of the files applied now
 * @throws StartError when a newer version has removed something needed here (`*.contract.sql`), a table stays locked,
 *   the user may not create tables, or the database is a standby
 */
export async function migrate(
  db: MigratableDatabase,
  now: Date,
  options: MigrateOptions = {},
): Promise<string[]> {
  try {
    return await db.session(async session => {
      await session.script(
        'set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0',
      )
      await acquireTurn(session)
      try {
        return await applyPending(session, now, options)
      } finally {
        await session.query('select pg_advisory_unlock($1)', [advisoryLock]).catch(() => {})
      }
    })
  } catch (error) {
    throw explain(error)
  }
}

/** Polls: `create index concurrently` would wait forever for a session that blocks on the lock in one statement. */
async function acquireTurn(session: Session): Promise<void> {
  for (;;) {
    const [turn] = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      advisoryLock,
    ])
    if (turn?.taken) return
    await sleep(100)
  }
}

async function applyPending(session: Session, now: Date, options: MigrateOptions): Promise<string[]> {
  const { onNewer, directory = ownDirectory, retryPolicy: patience = defaultRetryPolicy } = options
  await session.query(
    'create table if not exists schema_migration (name text primary key, applied_at timestamptz not null)',
  )
  const rows = await session.query<{ name: string }>('select name from schema_migration order by name')
  const applied = new Set(rows.map(row => row.name))
  const known = await migrationNames(directory)
  const newer = [...applied].filter(name => !known.includes(name))
  const needed = newer.filter(name => name.endsWith('.contract.sql'))
  if (needed.length > 0) {
    throw new StartError(
      `A newer version of Farline removed from the database what this version needs (${needed.join(', ')}). Start the newer version.`,
    )
  }
  if (newer.length > 0) onNewer?.(newer)
  const pending = known.filter(name => !applied.has(name))
  for (const name of pending) {
    const sql = await readFile(join(directory, name), 'utf8')
    const record = () =>
      session.query('insert into schema_migration (name, applied_at) values ($1, $2)', [name, now])
    if (sql.startsWith('-- no transaction')) {
      await applyInSteps(session, { name, sql, record }, patience)
    } else {
      await applyWhole(session, { name, sql, record }, patience)
    }
  }
  return pending
}

interface MigrationFile {
  readonly name: string
  readonly sql: string
  readonly record: () => Promise<unknown>
}

async function applyWhole(
  session: Session,
  { name, sql, record }: MigrationFile,
  retryPolicy: typeof defaultRetryPolicy,
): Promise<void> {
  await insist(name, retryPolicy, async () => {
    try {
      await session.script(`begin; set local lock_timeout = ${retryPolicy.lockMs}`)
      await session.script(sql)
      await record()
      await session.script('commit')
    } catch (error) {
      await session.script('rollback').catch(() => {})
      throw error
    }
  })
}

/** Must be safe to rerun: drops its index, if it exists, before building it. `concurrently` needs no lock timeout. */
async function applyInSteps(
  session: Session,
  { name, sql, record }: MigrationFile,
  retryPolicy: typeof defaultRetryPolicy,
): Promise<void> {
  const statements = sql
    .replaceAll(/--.*$/gm, '')
    .split(/;\s*$/m)
    .filter(statement => statement.trim() !== '')
  for (const statement of statements) {
    if (/\bindex\s+concurrently\b/i.test(statement)) {
      await session.script(statement)
      continue
    }
    await session.script(`set lock_timeout = ${retryPolicy.lockMs}`)
    await insist(name, retryPolicy, () => session.script(statement))
    await session.script('set lock_timeout = 0')
  }
  await record()
}

/** Retries until the locks are acquired. @throws StartError after the last try */
async function insist(
  name: string,
  { pauseMs, tries }: typeof defaultRetryPolicy,
  attempt: () => Promise<void>,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      return await attempt()
    } catch (error) {
      if (!isAboutLocks(error)) throw error
      if (tried === tries) {
        throw new StartError(
          `The migration ${name} could not lock the tables that it changes (${(error as Error).message}). ` +
            'Find a long-running transaction in pg_stat_activity, end it, and start again.',
          { cause: error },
        )
      }
      await sleep(pauseMs)
    }
  }
}

/** Lock timeout (55P03), or the victim of a deadlock (40P01). */
function isAboutLocks(error: unknown): boolean {
  return ['55P03', '40P01'].includes(String((error as { code?: unknown }).code))
}

function explain(thrown: unknown): unknown {
  // The PostgreSQL adapter reports a read-only database as unavailable, with the rejection as its cause.
  const error = thrown instanceof DatabaseUnavailable ? (thrown.cause ?? thrown) : thrown
  const { code } = error as { code?: unknown }
  if (code === '25006') {
    return new StartError(
      `The database is read-only (${(error as Error).message}). If it is a standby, set DATABASE_URL to the primary.`,
      { cause: thrown },
    )
  }
  if (code !== '42501') return thrown
  return new StartError(
    `The database user may not create Farline's tables (${(error as Error).message}). ` +
      'Make it the owner of the database: alter database <name> owner to <user>',
    { cause: error },
  )
}
