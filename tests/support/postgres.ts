import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { findPostgresPrograms } from '#scripts/postgres-programs.mjs'
import { migrate } from '#server/db/migrate.ts'
import { openPostgres } from '#server/db/postgres.ts'

/** A PostgreSQL in a temporary directory, on a free port of 127.0.0.1. */
export interface PostgresServer {
  /** Connects as superuser to an empty database. */
  readonly url: string
  readonly directory: string
  /** The directory of PostgreSQL's programs: psql, pgbench ... */
  readonly programs: string
  /** Kills it as a crash would and starts it again. */
  restart(): Promise<void>
  /** Stops it and deletes its files. Also happens whenever this process ends. */
  stop(): Promise<void>
}

export interface PostgresServerOptions {
  /** Whether a commit reaches the disk. Off by default, because few tests need to survive a power cut. */
  readonly durable?: boolean
  readonly settings?: readonly string[]
  /** The parent of its directory; default: the system's temporary directory. */
  readonly inside?: string
}

const template = 'farline_template'
const fast = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** @throws Error when PostgreSQL is not installed: call `findPostgresPrograms` first */
export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const programs = findPostgresPrograms()
  if (programs === undefined) throw new Error('PostgreSQL is not installed')
  const password = randomBytes(16).toString('hex')
  const settings = ['max_connections=300', ...(options.durable ? [] : fast), ...(options.settings ?? [])]
  const keeper = spawn(
    process.execPath,
    [join(import.meta.dirname, 'postgres-keeper.ts'), programs, password, ...settings],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      detached: true,
      env: {
        PATH: process.env.PATH ?? '',
        ...(options.inside === undefined ? {} : { TMPDIR: options.inside }),
      },
    },
  )
  const exited = once(keeper, 'exit')
  const lines = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]()
  const [, port, directory = ''] = String((await lines.next()).value).split(' ')
  if (directory === '') throw new Error('the throw-away PostgreSQL did not start')
  keeper.unref()
  for (const stream of [keeper.stdin, keeper.stdout]) (stream as unknown as { unref(): void }).unref()
  const url = `postgres://farline:${password}@127.0.0.1:${port}/postgres`
  await prepareTemplate(url)
  return {
    url,
    directory,
    programs,
    restart: async () => {
      keeper.stdin.write('restart\n')
      await held(lines.next())
    },
    stop: async () => {
      keeper.stdin.end()
      await held(exited)
    },
  }
}

/** Keeps the process alive while waiting, because the keeper's handles do not. */
async function held(waited: Promise<unknown>): Promise<void> {
  const hold = setInterval(() => {}, 60_000)
  await waited.finally(() => clearInterval(hold))
}

async function prepareTemplate(serverUrl: string): Promise<void> {
  await onServer(serverUrl, `create database ${template}`)
  const db = await openPostgres(withDatabase(serverUrl, template), { poolSize: 1 })
  await migrate(db, new Date())
  await db.close()
}

export interface OwnDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** @param content `migrated`: with our schema; `empty`: without */
export async function createDatabase(
  serverUrl: string,
  content: 'migrated' | 'empty' = 'migrated',
): Promise<OwnDatabase> {
  const name = `farline_${randomBytes(8).toString('hex')}`
  await onServer(
    serverUrl,
    `create database ${name} template ${content === 'migrated' ? template : 'template0'}`,
  )
  return {
    url: withDatabase(serverUrl, name),
    drop: () => onServer(serverUrl, `drop database ${name} with (force)`),
  }
}

async function onServer(serverUrl: string, sql: string): Promise<void> {
  const db = await openPostgres(serverUrl, { poolSize: 1 })
  try {
    await db.query(sql)
  } finally {
    await db.close()
  }
}

function withDatabase(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
