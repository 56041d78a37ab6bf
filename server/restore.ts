import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { restoreEmbedded } from './backup/embedded.ts'
import { type BackupHeader, openPayload, verifyBackup } from './backup/file.ts'
import { restorePostgres } from './backup/postgres.ts'
import { type Config, ConfigError, readConfig } from './config.ts'
import { migrate } from './db/migrate.ts'
import { DatabaseUnavailable } from './db/port.ts'
import { openPostgres } from './db/postgres.ts'
import { type BooksCheck, checkBooks } from './ledger/books/whole.ts'
import { systemClock } from './process/clock.ts'
import { StartError } from './process/start-error.ts'

const usage = `npm run restore -- <file> [--overwrite]    fills the configured database from a backup, while no server runs
--overwrite: even if there already is a database`

process.exitCode = await run(process.argv.slice(2))

/** Exit code. 0: restored, and the books are right. 1: not restored, or the books are wrong. 2: invalid arguments. */
async function run(args: string[]): Promise<number> {
  const asked = readArguments(args)
  if (asked === undefined) {
    console.error(usage)
    return 2
  }
  try {
    const header = await verifyBackup(asked.path)
    const { books, formerly } = await restore(readConfig(process.env), header, asked)
    return reportRestore(header, books, formerly)
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof StartError)) throw error
    console.error(error.message)
    return 1
  }
}

interface Asked {
  readonly path: string
  readonly overwrite: boolean
}

interface Restored {
  readonly books: BooksCheck
  /** Where the previous database is kept. */
  readonly formerly: string | undefined
}

function readArguments(args: string[]): Asked | undefined {
  try {
    const options = { overwrite: { type: 'boolean' } } as const
    const { positionals, values } = parseArgs({ args, allowPositionals: true, options })
    const [name] = positionals
    if (name === undefined || positionals.length > 1) return undefined
    return { path: resolve(name), overwrite: values.overwrite ?? false }
  } catch {
    return undefined
  }
}

async function restore(
  { databaseUrl, dataDirectory }: Config,
  { engine }: BackupHeader,
  { path, overwrite }: Asked,
): Promise<Restored> {
  if ((databaseUrl === undefined) !== (engine === 'embedded')) {
    throw new StartError(
      engine === 'embedded'
        ? 'This is a backup of the embedded database. Leave out DATABASE_URL.'
        : 'This is a backup of a PostgreSQL database. Set DATABASE_URL to an empty one.',
    )
  }
  if (databaseUrl === undefined) {
    const restored = await restoreEmbedded(resolve(dataDirectory), openPayload(path), {
      overwrite,
      clock: systemClock,
      inspect: checkBooks,
    })
    return { books: restored.inspected, formerly: restored.formerly }
  }
  await restorePostgres(databaseUrl, process.env, { archive: openPayload(path), overwrite })
  const db = await openPostgres(databaseUrl, { poolSize: 1 })
  try {
    await migrate(db, systemClock.now())
    return { books: await checkBooks(db), formerly: undefined }
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error
    throw new StartError(
      `The rows are restored, but the ledger was not checked: ${error.message}. ` +
        'When the database answers again, run npm run ledger:check.',
      { cause: error },
    )
  } finally {
    await db.close()
  }
}

function reportRestore(
  header: BackupHeader,
  { transfers, breaches }: BooksCheck,
  formerly: string | undefined,
): number {
  console.log(`Restored: the database as it was on ${header.takenAt}, ${transfers} transfers.`)
  if (formerly !== undefined) console.log(`The previous database is kept in ${formerly}.`)
  if (breaches.length > 0) {
    console.error(
      `Its books are not right:\n${breaches.map(({ invariant }) => `  - ${invariant}`).join('\n')}`,
    )
    console.error(
      'They were already wrong when the backup was made. Run npm run ledger:check to see the rows.',
    )
    return 1
  }
  console.log(`Its books are right.
Calls that were live then are settled at the start of the server, to the last sign of life that was written down.
Payments that were open then are asked for at the payment provider. What was begun after the backup is not in it: compare
the provider's list of payments from that moment on, and credit or refund by hand (docs/operating/backups.md).`)
  return 0
}
