import { copyFile, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrationNames } from '#server/db/migrate.ts'

export const migrationDirectory = join(import.meta.dirname, '..', '..', '..', 'server', 'db', 'migrations')

/** All migrations as they are and these after them. */
export async function copyOfMigrations(more: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'farline-migrations-'))
  for (const name of await migrationNames()) {
    await copyFile(join(migrationDirectory, name), join(directory, name))
  }
  for (const [name, sql] of Object.entries(more)) await writeFile(join(directory, name), sql)
  return directory
}
