import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../process/start-error.ts'

/** Directory, below the data directory, in which a restore builds the new database. */
export const restoringName = 'restoring'
/** Prefix of a replaced database's name; the time of the restore follows. */
export const formerPrefix = 'pg-until-'

/** Prevents an empty database in place of one that an interrupted restore moved away. @throws StartError with what to do */
export function requireNoBrokenRestore(dataDirectory: string): void {
  if (!statSync(dataDirectory, { throwIfNoEntry: false })?.isDirectory()) return
  if (existsSync(join(dataDirectory, 'pg'))) return
  const names = readdirSync(dataDirectory)
  const former = names
    .filter(name => name.startsWith(formerPrefix))
    .sort()
    .at(-1)
  if (former === undefined && !names.includes(restoringName)) return
  const choice =
    former === undefined
      ? `remove ${join(dataDirectory, restoringName)} to begin with an empty database`
      : `put the previous database back: mv ${join(dataDirectory, former)} ${join(dataDirectory, 'pg')}`
  throw new StartError(
    `A restore in ${dataDirectory} was interrupted, and left no database. Run npm run restore again, or ${choice}.`,
  )
}
