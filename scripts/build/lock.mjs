import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLite's code for a file that another process has locked. */
const busy = 5

/** Of two processes that ask at the same moment SQLite may refuse both, so each asks again for so long. */
const firstWaitMs = 500
/** The longest that SQLite can wait. */
const longestWaitMs = 2 ** 31 - 1

/**
 * Locks a directory for the builds of this process: two at once would write into each other's files. Waits while another process
 * holds the lock. The kernel drops the lock of an SQLite file when its process dies, however it dies.
 * @param {string} directory
 * @param {() => void} onWait called once if another process holds the lock
 * @returns {{ release(): void }}
 */
export function lockBuilds(directory, onWait) {
  mkdirSync(directory, { recursive: true })
  const file = new DatabaseSync(join(directory, 'lock.sqlite'), { timeout: firstWaitMs })
  const lock = () => file.exec('begin exclusive')
  try {
    lock()
  } catch (error) {
    if (error.errcode !== busy) throw error
    onWait()
    file.exec(`pragma busy_timeout = ${longestWaitMs}`)
    lock()
  }
  return { release: () => file.close() }
}
