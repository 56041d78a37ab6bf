import { cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'

/** Where `embedded-project.ts` says that its template stands. */
export const templateVariable = 'FARLINE_TEST_TEMPLATE'

/**
 * Puts a migrated, empty embedded database into a data directory: to copy one takes a tenth of making it. Outside of the test
 * run that made a template nothing is done, and whoever opens the directory makes its own.
 */
export function fillDirectory(directory: string): void {
  const template = process.env[templateVariable]
  if (template !== undefined && existsSync(template))
    cpSync(join(template, 'pg'), join(directory, 'pg'), { recursive: true })
}
