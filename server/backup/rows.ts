import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { migrate, migrationNames } from '../db/migrate.ts'
import type { Db, MigratableDatabase } from '../db/port.ts'
import { writeArray } from '../db/postgres-array.ts'
import { StartError } from '../process/start-error.ts'

const migrationsDirectory = join(import.meta.dirname, '..', 'db', 'migrations')

/** Rows per step. The process also carries the sound of calls, which must not wait longer than one step. */
const step = 200

/** A string is a row of the last named table, in its columns' order and in PostgreSQL's lossless text form. */
type Line =
  | { readonly migrations: readonly string[] }
  | { readonly sequence: string; readonly value: number; readonly called: boolean }
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly end: { readonly rows: number } }
  | string

/** One transaction keeps the rows consistent while calls are charged. The embedded database blocks other work meanwhile. */
export async function dumpRows(db: Db, into: Writable): Promise<void> {
  await db.transaction(async tx => {
    await tx.query('set transaction isolation level repeatable read, read only')
    await pipeline(Readable.from(linesOf(tx)), createGzip({ level: 6 }), into)
  })
}

async function* linesOf(tx: Db): AsyncGenerator<string> {
  const say = (line: Line) => `${JSON.stringify(line)}\n`
  const applied = await tx.query<{ name: string }>('select name from schema_migration order by name')
  yield say({ migrations: applied.map(({ name }) => name) })
  let rows = 0
  for (const table of await tablesOf(tx)) {
    yield say({ table, columns: await columnsOf(tx, table) })
    await tx.query(`declare dumped no scroll cursor for select item::text as row from ${quoted(table)} item`)
    for (let read = step; read === step; ) {
      const some = await tx.query<{ row: string }>(`fetch ${step} from dumped`)
      read = some.length
      rows += read
      if (read > 0) yield some.map(({ row }) => say(row)).join('')
    }
    await tx.query('close dumped')
  }
  for (const name of await sequencesOf(tx)) {
    const [at] = await tx.query<{ value: number; called: boolean }>(
      `select last_value as value, is_called as called from ${quoted(name)}`,
    )
    if (at !== undefined) yield say({ sequence: name, ...at })
  }
  yield say({ end: { rows } })
}

/**
 * Creates the schema of the dump, and fills it in one transaction.
 * @param db empty, and lets us disable triggers, whose effects are already in the rows
 * @throws StartError for a dump of a newer version, or one without its end
 */
export async function loadRows(db: MigratableDatabase, dump: Readable, now: Date): Promise<void> {
  const lines = linesFrom(dump)
  const first = (await lines.next()).value
  if (first === undefined || typeof first === 'string' || !('migrations' in first)) throw notWhole()
  await makeSchema(db, first.migrations, now)
  await db.transaction(async tx => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(`truncate ${(await tablesOf(tx)).map(quoted).join(', ')}`)
    await fill(tx, lines)
  })
}

async function fill(tx: Db, lines: AsyncIterable<Line>): Promise<void> {
  let into: { readonly table: string; readonly columns: readonly string[] } | undefined
  let rows: string[] = []
  let loaded = 0
  const flush = async () => {
    if (into === undefined || rows.length === 0) return
    const taken = rows
    rows = []
    const columns = columnList(into.columns)
    await tx.query(
      `insert into ${quoted(into.table)} (${columns}) overriding system value
       select ${columns} from unnest($1::text::pg_temp.dumped[])`,
      [writeArray(taken)],
    )
    loaded += taken.length
  }
  for await (const line of lines) {
    if (typeof line === 'string') {
      if (rows.push(line) >= step) await flush()
      continue
    }
    await flush()
    if ('table' in line) {
      into = line
      await nameRowType(tx, line)
    } else if ('sequence' in line) {
      const { sequence, value, called } = line
      await tx.query('select setval($1::text::regclass, $2, $3)', [quoted(sequence), value, called])
    } else if ('end' in line) {
      if (line.end.rows !== loaded) throw notWhole()
      return
    }
  }
  throw notWhole()
}

async function* linesFrom(dump: Readable): AsyncGenerator<Line, undefined> {
  const unzipped = dump.pipe(createGunzip()).setEncoding('utf8')
  dump.on('error', error => unzipped.destroy(error))
  let rest = ''
  try {
    for await (const chunk of unzipped as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line) as Line
    }
  } catch (error) {
    throw isNotOurs(error) ? notWhole() : error
  }
}

/** Not zipped, truncated, or not written by us. */
function isNotOurs(error: unknown): boolean {
  return error instanceof SyntaxError || /^Z_/.test(String((error as NodeJS.ErrnoException).code))
}

/** Creates the schema of the dump's version, which its rows fit. `migrate` applies later migrations afterwards. */
async function makeSchema(db: MigratableDatabase, names: readonly string[], now: Date): Promise<void> {
  const known = await migrationNames()
  const unknown = names.filter(name => !known.includes(name))
  if (unknown.length > 0) {
    throw new StartError(
      `The backup was taken with a newer version of Farline (${unknown.join(', ')}). Restore it with that version.`,
    )
  }
  const directory = await mkdtemp(join(tmpdir(), 'farline-restore-'))
  try {
    for (const name of names) await copyFile(join(migrationsDirectory, name), join(directory, name))
    await migrate(db, now, { directory })
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

/** A row type with the dump's columns in the dump's order, which may differ from the table's. */
async function nameRowType(
  tx: Db,
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
): Promise<void> {
  await tx.query('drop table if exists pg_temp.dumped')
  await tx.query(
    `create temporary table dumped on commit drop as select ${columnList(columns)} from ${quoted(table)} with no data`,
  )
}

async function columnsOf(tx: Db, table: string): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select attname::text as name from pg_attribute
     where attrelid = $1::text::regclass and attnum > 0 and not attisdropped order by attnum`,
    [quoted(table)],
  )
  return rows.map(({ name }) => name)
}

const columnList = (names: readonly string[]) => names.map(quotedName).join(', ')

const tablesOf = (tx: Db) => relationsOf(tx, 'r')
const sequencesOf = (tx: Db) => relationsOf(tx, 'S')

async function relationsOf(tx: Db, kind: 'r' | 'S'): Promise<string[]> {
  const rows = await tx.query<{ name: string }>(
    `select relname::text as name from pg_class where relnamespace = 'public'::regnamespace and relkind = $1 order by 1`,
    [kind],
  )
  return rows.map(({ name }) => name)
}

function quoted(name: string): string {
  return `public.${quotedName(name)}`
}

function quotedName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}

function notWhole(): StartError {
  return new StartError('The backup is incomplete: its end is missing. Use another backup.')
}
