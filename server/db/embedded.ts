import { execFile } from 'node:child_process'
import { closeSync, existsSync, fsyncSync, openSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { PGlite, types } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import { lockDirectory } from './directory-lock.ts'
import { type EmbeddedRoom, watchRoom } from './embedded-room.ts'
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
    const place = join(directory, 'pg')
    if (!existsSync(join(place, 'PG_VERSION'))) await createElsewhere(place)
    const { pg, fs } = await startPglite(place)
    syncDirectory(place)
    syncDirectory(directory)
    syncDirectory(dirname(directory))
    return {
      ...overPglite(pg, watchRoom(pg, place)),
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

function overPglite(pg: PGlite, room: EmbeddedRoom): Omit<MigratableDatabase, 'close'> {
  const run = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    await room.look()
    try {
      return await work()
    } catch (error) {
      throw room.explain(error)
    }
  }
  return {
    query: (sql, parameters) => run(() => query(pg, sql, parameters)),
    transaction: work =>
      run(() =>
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
      run(() =>
        work({
          query: (sql, parameters) => query(pg, sql, parameters),
          script: async sql => {
            await pg.exec(sql)
          },
        }),
      ),
  }
}

/** Creates the database if the directory has none. */
export async function startPglite(place: string): Promise<{ pg: PGlite; fs: DurableNodeFS }> {
  compileOnce()
  const fs = new DurableNodeFS(place)
  const pg = await PGlite.create({
    fs,
    parsers: { [types.INT8]: parseInt8 },
    startParams: [
      ...PGlite.defaultStartParams.filter(parameter => parameter !== '-F'),
      ...['-c', 'fsync=on', '-c', 'wal_sync_method=fsync'],
      // PostgreSQL's default of 128 MB would stay resident. What is not in here is in the system's cache.
      ...['-c', 'shared_buffers=16MB'],
    ],
  })
  return { pg, fs }
}

/**
 * Keeps WebAssembly as V8 first compiles it. Optimizing PostgreSQL's largest functions takes 600 MB for seconds, 100 of which
 * are never given back, and queries wait for a processor meanwhile. Must run before anything of PGlite is compiled.
 */
function compileOnce(): void {
  setFlagsFromString('--no-wasm-tier-up')
  setFlagsFromString('--no-wasm-dynamic-tiering')
}

/** In a process of its own: the 60 MB that creating a database leaves behind end with it. */
async function createElsewhere(place: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'create-embedded.ts'), place])
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
