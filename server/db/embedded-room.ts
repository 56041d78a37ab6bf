import { statfsSync } from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'
import { DatabaseUnavailable, saysOutOfSpace } from './port.ts'

/** Four log files of PostgreSQL. Where it finds no room for the next one, it stops in the middle, and never answers again. */
const minFreeBytes = 64 * 1024 * 1024

/** Keeps the embedded database from a full disk. */
export interface EmbeddedRoom {
  /** Before each statement and transaction: makes the database read-only while its disk is short of room. */
  look(): Promise<void>
  /** @returns DatabaseUnavailable with the reason, if `error` says that there was no room; otherwise `error` */
  explain(error: unknown): unknown
}

/** @param place the database's directory */
export function watchRoom(pg: Pick<PGlite, 'exec'>, place: string): EmbeddedRoom {
  let isShort = false
  return {
    look: async () => {
      const short = isShortOfRoom(place)
      if (short === isShort) return
      isShort = short
      await pg.exec(`set default_transaction_read_only = ${short ? 'on' : 'off'}`)
    },
    explain: error => {
      const { code, message } = error as { code?: unknown; message?: unknown }
      if (isShort && code === '25006') {
        const megabytes = minFreeBytes / 1024 / 1024
        return new DatabaseUnavailable(
          `the database is out of space (less than ${megabytes} MB are free for ${place}): it is read-only until there is more`,
          { cause: error },
        )
      }
      return saysOutOfSpace(code)
        ? new DatabaseUnavailable(`the database is out of space (${message})`, { cause: error })
        : error
    },
  }
}

/** A file system that does not know its size counts as one with room. */
function isShortOfRoom(place: string): boolean {
  const { bavail, blocks, bsize } = statfsSync(place)
  return blocks > 0 && bavail * bsize < minFreeBytes
}
