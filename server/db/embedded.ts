import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { lockDirectory } from './directory-lock.ts'
import { type MigratableDatabase, type Parameter, parseInt8 } from './port.ts'
import { workInside } from './transaction.ts'

/** What Emscripten hands its fsync hook: the stream carries the native descriptor. */
interface NativeStream {
  readonly nfd: number
}
interface EmscriptenModule {
  readonly NODEFS: { stream_ops: { fsync?: (stream: NativeStream) => number } }
}

/** PGlite's file system with the one thing it leaves out: a commit that reaches the disk. */
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
  /** How many fsyncs have reached the operating system: what makes a commit durable. */
  fsyncCount(): number
}

/**
 * Opens (or creates) the embedded PostgreSQL in `directory`, for this process alone, with commits that
 * survive a power cut: PGlite starts with fsync off and passes none on, so both are put right here.
 * @throws DirectoryInUse when another process has it.
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
