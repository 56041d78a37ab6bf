import { createReadStream, createWriteStream, existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { finished, type Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { formerPrefix, restoringName } from '../db/broken-restore.ts'
import { DirectoryInUse, lockDirectory } from '../db/directory-lock.ts'
import { openEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import type { Db } from '../db/port.ts'
import type { Clock } from '../process/clock.ts'
import { StartError } from '../process/start-error.ts'
import { syncDirectory } from './file.ts'
import { dumpRows, loadRows } from './rows.ts'

/** Path on the admin socket that returns the rows as of now. */
export const backupPath = '/backup'

/** Writes the rows of the embedded database: from the running server, or from the directory itself if none runs. */
export async function dumpEmbedded(
  dataDirectory: string,
  adminSocketPath: string,
  into: Writable,
): Promise<void> {
  if (!existsSync(join(dataDirectory, 'pg'))) {
    throw new StartError(`There is no database in ${dataDirectory}. Set DATA_DIR or DATABASE_URL.`)
  }
  let db: Awaited<ReturnType<typeof openEmbedded>>
  try {
    db = await openEmbedded(dataDirectory)
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error
    return askServer(adminSocketPath, into)
  }
  try {
    await dumpRows(db, into)
  } finally {
    await db.close()
  }
}

/** @throws StartError when the server reports a failure; the socket's error when it does not answer */
async function askServer(adminSocketPath: string, into: Writable): Promise<void> {
  const answer = await new Promise<Readable & { statusCode?: number | undefined }>((answered, fail) => {
    request({ socketPath: adminSocketPath, path: backupPath }, answered).on('error', fail).end()
  })
  if (answer.statusCode !== 200) {
    answer.resume()
    throw new StartError('The server could not write the backup. See its log.')
  }
  await pipeline(answer, into)
}

/** Other work waits for the disk, not for a slow reader. Unlinked once open, the file disappears with the process. */
export async function spoolRows(
  db: Db,
  dataDirectory: string,
  name: string,
): Promise<{ readonly bytes: number; readonly rows: Readable }> {
  const path = join(dataDirectory, `backup-${name}.part`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await rm(path)
    await dumpRows(db, createWriteStream('', { fd: file.fd, autoClose: false }))
    const { size } = await file.stat()
    const rows = createReadStream('', { fd: file.fd, start: 0, autoClose: false })
    // Also emitted when the reader goes away.
    finished(rows, () => void file.close())
    return { bytes: size, rows }
  } catch (error) {
    await file.close()
    throw error
  }
}

/**
 * Builds the dump's database beside the current one and, after `inspect`, replaces the current one.
 * @param overwrite keeps an existing database under another name
 * @returns where the former one is kept
 * @throws DirectoryInUse while a server runs on it; StartError when it may not be overwritten
 */
export async function restoreEmbedded<Value>(
  dataDirectory: string,
  dump: Readable,
  { overwrite, clock, inspect }: { overwrite: boolean; clock: Clock; inspect: (db: Db) => Promise<Value> },
): Promise<{ readonly inspected: Value; readonly formerly: string | undefined }> {
  const lock = lockDirectory(dataDirectory)
  try {
    const place = join(dataDirectory, 'pg')
    const occupied = existsSync(place)
    if (occupied && !overwrite) {
      throw new StartError(
        `${dataDirectory} already holds a database. Set DATA_DIR to another directory, or add --overwrite: the existing database is then kept under another name.`,
      )
    }
    const aside = join(dataDirectory, restoringName)
    await rm(aside, { recursive: true, force: true })
    const db = await openEmbedded(aside)
    let inspected: Value
    try {
      await loadRows(db, dump, clock.now())
      await migrate(db, clock.now())
      inspected = await inspect(db)
    } finally {
      await db.close()
    }
    const formerly = join(
      dataDirectory,
      `${formerPrefix}${clock.now().toISOString().replaceAll(/[:.]/g, '-')}`,
    )
    if (occupied) await rename(place, formerly)
    await rename(join(aside, 'pg'), place)
    await rm(aside, { recursive: true, force: true })
    await syncDirectory(dataDirectory)
    return { inspected, formerly: occupied ? formerly : undefined }
  } finally {
    lock.release()
  }
}
