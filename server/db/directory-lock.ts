import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../process/start-error.ts'

export class DirectoryInUse extends StartError {
  constructor(directory: string) {
    super(
      `The data directory ${directory} is in use by another Farline process. ` +
        'Stop that one first, or set DATA_DIR to another directory.',
    )
    this.name = 'DirectoryInUse'
  }
}

/**
 * Locks the directory for this process: the embedded database has no lock, and two processes would corrupt it. The
 * kernel drops the lock of an SQLite file when the process dies, however it dies.
 * @throws DirectoryInUse when another process (or this one) holds it, StartError when it cannot be made
 */
export function lockDirectory(directory: string): { release(): void } {
  const file = openLockFile(directory)
  try {
    file.exec('pragma locking_mode = exclusive; begin exclusive;')
  } catch (error) {
    file.close()
    if (error instanceof Error && /locked|busy/i.test(error.message)) throw new DirectoryInUse(directory)
    throw error
  }
  return { release: () => file.close() }
}

function openLockFile(directory: string): DatabaseSync {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    return new DatabaseSync(join(directory, 'lock.sqlite'))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The data directory ${directory} cannot be used (${reason}). Set DATA_DIR to another one.`,
    )
  }
}
