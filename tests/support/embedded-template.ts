import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'

/** The variable in which `embedded-project.ts` passes its template's directory. */
export const templateVariable = 'FARLINE_TEST_TEMPLATE'

/**
 * Copies a migrated, empty embedded database into a data directory, ten times faster than creating one. Does nothing
 * without a template: opening the directory then creates the database.
 */
export function fillDirectory(directory: string): void {
  const template = process.env[templateVariable]
  if (template !== undefined && existsSync(template))
    cpSync(join(template, 'pg'), join(directory, 'pg'), { recursive: true })
}
