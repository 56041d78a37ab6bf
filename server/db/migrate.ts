import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Database } from './port.ts'

const directory = join(import.meta.dirname, 'migrations')

/** The numbered migration files, in order. */
export async function migrationNames(): Promise<string[]> {
  const names = await readdir(directory)
  return names.filter(name => /^\d{4}_.+\.sql$/.test(name)).sort()
}

/**
 * Brings the schema up to date: each file once, in order, in a transaction of its own.
 * @returns the names of the files applied now.
 * @throws Error when the database holds a migration that this version does not know (a newer one ran).
 */
export async function migrate(db: Database, now: Date): Promise<string[]> {
  await db.script(
    'create table if not exists schema_migration (name text primary key, applied_at timestamptz not null)',
  )
  const applied = new Set(
    (await db.query<{ name: string }>('select name from schema_migration')).map(row => row.name),
  )
  const known = await migrationNames()
  const unknown = [...applied].filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw new Error(`The database was migrated by a newer version of Farline (${unknown.join(', ')}).`)
  }
  const pending = known.filter(name => !applied.has(name))
  for (const name of pending) {
    const sql = await readFile(join(directory, name), 'utf8')
    const record = `insert into schema_migration (name, applied_at) values ('${name}', '${now.toISOString()}')`
    await db.script(`begin;\n${sql}\n;${record};\ncommit;`)
  }
  return pending
}
