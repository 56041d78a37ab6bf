import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'
import type { Db, Transaction } from './port.ts'

const directory = join(import.meta.dirname, 'migrations')

/** Any number that nothing else in this database locks. */
const advisoryLock = 4_276_545

/** The numbered migration files, in order. */
export async function migrationNames(): Promise<string[]> {
  const names = await readdir(directory)
  return names.filter(name => /^\d{4}_.+\.sql$/.test(name)).sort()
}

/**
 * Brings the schema up to date: each pending file once, in order, all in one transaction. Processes that
 * start together take turns, and the later ones find nothing left to do.
 * @returns the names of the files applied now.
 * @throws StartError when the database holds a migration that this version does not know (a newer one ran),
 * when its user may not create tables, or when it takes no changes (a standby).
 */
export async function migrate(db: Db, now: Date): Promise<string[]> {
  try {
    return await db.transaction(tx => applyPending(tx, now))
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code === '25006') {
      throw new StartError(
        `The database takes no changes (${(error as Error).message}). If it is a standby, name the primary.`,
        { cause: error },
      )
    }
    if (code !== '42501') throw error
    throw new StartError(
      `The database user may not create Farline's tables (${(error as Error).message}). ` +
        'Make it the owner of the database: alter database <name> owner to <user>',
      { cause: error },
    )
  }
}

async function applyPending(tx: Transaction, now: Date): Promise<string[]> {
  // Both the wait for another process's migrations and a migration itself may take long.
  await tx.script(`set local statement_timeout = 0; select pg_advisory_xact_lock(${advisoryLock})`)
  await tx.query(
    'create table if not exists schema_migration (name text primary key, applied_at timestamptz not null)',
  )
  const rows = await tx.query<{ name: string }>('select name from schema_migration')
  const applied = new Set(rows.map(row => row.name))
  const known = await migrationNames()
  const unknown = [...applied].filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw new StartError(
      `The database was migrated by a newer version of Farline (${unknown.join(', ')}). Start that version.`,
    )
  }
  const pending = known.filter(name => !applied.has(name))
  for (const name of pending) {
    await tx.script(await readFile(join(directory, name), 'utf8'))
    await tx.query('insert into schema_migration (name, applied_at) values ($1, $2)', [name, now])
  }
  return pending
}
