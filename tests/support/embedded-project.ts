import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import { templateVariable } from './embedded-template.ts'

/**
 * Global setup of projects on the embedded database: creates and migrates a template once, which each test copies.
 */
export async function setup(): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'farline-template-'))
  const db = await openEmbedded(directory)
  await migrate(db, new Date())
  await db.close()
  process.env[templateVariable] = directory
  return () => rmSync(directory, { recursive: true, force: true })
}
