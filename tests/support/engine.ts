import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import type { MigratableDatabase } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { fillDirectory } from './embedded-template.ts'
import { createDatabase } from './postgres.ts'

/** Which database a test runs on. `serverUrl` is a throw-away server's (`startPostgres`). */
export type Engine = { readonly kind: 'embedded' } | { readonly kind: 'postgres'; readonly serverUrl: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** Said by the projects that run on PostgreSQL (`postgres-project.ts`). */
    engine?: Engine
  }
}

/** The engine of the Vitest project that asks: every test file that reaches this runs on both. */
export async function projectEngine(): Promise<Engine> {
  const { inject } = await import('vitest')
  return inject('engine') ?? { kind: 'embedded' }
}

export interface FreshDatabase {
  readonly db: MigratableDatabase
  /** What DATABASE_URL would be; undefined on the embedded one. */
  readonly url: string | undefined
  /** What DATA_DIR would be, of the embedded one; undefined on PostgreSQL. */
  readonly dataDirectory: string | undefined
  /** Disconnects and removes it. */
  close(): Promise<void>
}

/** A migrated database that nobody else uses. */
export async function openFreshDatabase(engine: Engine, now: Date): Promise<FreshDatabase> {
  if (engine.kind === 'postgres') {
    const own = await createDatabase(engine.serverUrl)
    const db = await openPostgres(own.url)
    return {
      db,
      url: own.url,
      dataDirectory: undefined,
      close: async () => {
        await db.close()
        await own.drop()
      },
    }
  }
  const directory = mkdtempSync(join(tmpdir(), 'farline-world-'))
  fillDirectory(directory)
  const db = await openEmbedded(directory)
  await migrate(db, now)
  return {
    db,
    url: undefined,
    dataDirectory: directory,
    close: async () => {
      await db.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}
