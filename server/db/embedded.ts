import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { lockDirectory } from './directory-lock.ts'
import { type MigratableDatabase, type Parameter, parseInt8 } from './port.ts'
import { workInside } from './transaction.ts'

/** What Emscripten passes to its fsync hook: the stream carries the native file descriptor. */
interface EmscriptenModule {
  readonly NODEFS: { stream_ops: { fsync?: (stream: { readonly nfd: number }) => number } }
}

/** PGlite's file system with the fsync that it lacks. */
class DurableNodeFS extends NodeFS {
  fsyncs = 0

  override async init(...parameters: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const result = await super.init(...parameters)
    result.emscriptenOpts.preRun?.push((mod: unknown) => {
      const { NODEFS } = mod as EmscriptenModule
      NODEFS.stream_ops.fsync = stream => {
        this.fsyncs += 1
        fsyncSync(stream.nfd)
        return 0
      }
    })
    return result
  }
}

export interface EmbeddedDatabase extends MigratableDatabase {
  fsyncCount(): number
}

/**
 * Opens the embedded PostgreSQL for this process alone. PGlite starts with fsync off and passes none on; both are
 * corrected here, so that commits survive a power cut.
 * @throws DirectoryInUse when another process has it
 */
export async function openEmbedded(directory: string): Promise<EmbeddedDatabase> {
  const lock = lockDirectory(directory)
  try {
    const fs = new DurableNodeFS(join(directory, 'pg'))
    const pg = await PGlite.create({
      fs,
      parsers: { [types.INT8]: parseInt8 },
      startParams: [
        ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
        ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
      ],
    })
    syncDirectory(join(directory, 'pg'))
    syncDirectory(directory)
    syncDirectory(dirname(directory))
    return {
      ...overPglite(pg),
      fsyncCount: () => fs.fsyncs,
      close: async () => {
        await pg.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}

function overPglite(pg: PGlite): Omit<MigratableDatabase, 'close'> {
  return {
    query: (sql, parameters) => query(pg, sql, parameters),
    transaction: work =>
      pg.transaction(transaction =>
        workInside(
          {
            query: (sql, parameters) => query(transaction, sql, parameters),
            script: async sql => {
              await transaction.exec(sql)
            },
          },
          work,
        ),
      ),
    analyze: async () => {
      const tables = await query<{ name: string }>(
        pg,
        `select quote_ident(relname) as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
      )
      for (const { name } of tables) {
        // A tenth of the default sample, since the whole server waits meanwhile.
        await pg.exec(`set default_statistics_target = 10; analyze ${name}; reset default_statistics_target`)
        await setImmediate()
      }
    },
    session: work =>
      work({
        query: (sql, parameters) => query(pg, sql, parameters),
        script: async sql => {
          await pg.exec(sql)
        },
      }),
  }
}

async function query<Row>(
  runner: Pick<PGlite, 'query'>,
  sql: string,
  parameters: readonly Parameter[] = [],
): Promise<Row[]> {
  return (await runner.query<Row>(sql, [...parameters])).rows
}

function syncDirectory(path: string): void {
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
