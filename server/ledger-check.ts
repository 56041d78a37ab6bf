import { existsSync } from 'node:fs'
import { request } from 'node:http'
import { resolve } from 'node:path'
import { text } from 'node:stream/consumers'
import { adminSocketPath } from './admin/socket-path.ts'
import { ConfigError, readConfig } from './config.ts'
import { DirectoryInUse } from './db/directory-lock.ts'
import { openEmbedded } from './db/embedded.ts'
import { type Database, DatabaseUnavailable } from './db/port.ts'
import { openPostgres } from './db/postgres.ts'
import { invariants } from './ledger/books/checks.ts'
import { type BooksCheck, checkBooks } from './ledger/books/whole.ts'
import { StartError } from './process/start-error.ts'

const shownRows = 5
const noSuchTable = '42P01'

process.exitCode = await run()

/** Exit code. 0: the books are right. 1: they are not. 2: they could not be read. */
async function run(): Promise<number> {
  try {
    const { databaseUrl, dataDirectory } = readConfig(process.env)
    return report(await check(databaseUrl, resolve(dataDirectory)))
  } catch (error) {
    if ((error as { code?: unknown }).code === noSuchTable) {
      console.error('This database lacks the tables of this version. Start the server once: npm start')
    } else if (error instanceof ConfigError || error instanceof StartError) {
      console.error(error.message)
    } else if (error instanceof DatabaseUnavailable) {
      console.error(
        `The ledger was not read to its end: ${error.message}. Run this again when the database answers.`,
      )
    } else {
      throw error
    }
    return 2
  }
}

/** Reads PostgreSQL directly, beside its servers; the embedded database through the running server, if there is one. */
async function check(databaseUrl: string | undefined, dataDirectory: string): Promise<BooksCheck> {
  if (databaseUrl !== undefined) return checkAndClose(await openPostgres(databaseUrl, { poolSize: 1 }))
  if (!existsSync(dataDirectory)) {
    throw new StartError(`There is no database in ${dataDirectory}. Set DATA_DIR or DATABASE_URL.`)
  }
  try {
    return await checkAndClose(await openEmbedded(dataDirectory))
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return askServer(dataDirectory)
  }
}

async function checkAndClose(db: Database): Promise<BooksCheck> {
  try {
    return await checkBooks(db)
  } finally {
    await db.close()
  }
}

function askServer(dataDirectory: string): Promise<BooksCheck> {
  return new Promise((done, fail) => {
    request({ socketPath: adminSocketPath(dataDirectory), path: '/books' }, answer => {
      text(answer)
        .then(body => {
          if (answer.statusCode !== 200)
            throw new StartError('The server could not check its books. See its log.')
          done(JSON.parse(body) as BooksCheck)
        })
        .catch(fail)
    })
      .on('error', fail)
      .end()
  })
}

function report({ transfers, breaches }: BooksCheck): number {
  if (breaches.length === 0) {
    console.log(`The books are right: ${transfers} transfers, ${invariants.length} checks of I1 to I5.`)
    return 0
  }
  for (const { invariant, rows } of breaches) {
    console.error(`Broken in ${rows.length} rows: ${invariant}`)
    for (const row of rows.slice(0, shownRows)) console.error(`  ${JSON.stringify(row)}`)
  }
  return 1
}
