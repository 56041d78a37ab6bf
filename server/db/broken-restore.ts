import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '../start-error.ts'

/** Where a restore builds the database that takes the other's place, below the data directory. */
export const restoringName = 'restoring'
/** What the database is called that had that place, before the moment of the restore. */
export const formerPrefix = 'pg-until-'

/**
 * Keeps an empty database from being made in place of one that a restore had put aside when it broke off.
 * @throws StartError with what to do
 */
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
      : `put the former database back: mv ${join(dataDirectory, former)} ${join(dataDirectory, 'pg')}`
  throw new StartError(
    `A restore broke off in ${dataDirectory}, and there is no database now. Run npm run restore again, or ${choice}.`,
  )
}
