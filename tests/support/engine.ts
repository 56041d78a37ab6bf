import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '#server/db/embedded.ts'
import { migrate } from '#server/db/migrate.ts'
import type { MigratableDatabase } from '#server/db/port.ts'
import { openPostgres } from '#server/db/postgres.ts'
import { fillDirectory } from './embedded-template.ts'
import { createDatabase } from './postgres.ts'

/** The database that a test uses. `serverUrl` is of a temporary server (`startPostgres`). */
export type Engine = { readonly kind: 'embedded' } | { readonly kind: 'postgres'; readonly serverUrl: string }

declare module 'vitest' {
  interface ProvidedContext {
    /** Set by projects on PostgreSQL (`postgres-project.ts`). */
    engine?: Engine
  }
}

/** The engine of the current Vitest project. Test files that import this run on both engines. */
export async function projectEngine(): Promise<Engine> {
  const { inject } = await import('vitest')
  return inject('engine') ?? { kind: 'embedded' }
}

export interface FreshDatabase {
  readonly db: MigratableDatabase
  /** DATABASE_URL; undefined on the embedded database. */
  readonly url: string | undefined
  /** DATA_DIR; undefined on PostgreSQL. */
  readonly dataDirectory: string | undefined
  close(): Promise<void>
}

/** A migrated database of its own. */
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
