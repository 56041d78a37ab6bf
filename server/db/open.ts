import { requireNoBrokenRestore } from './broken-restore.ts'
import { lockDirectory } from './directory-lock.ts'
import { openEmbedded } from './embedded.ts'
import type { MigratableDatabase } from './port.ts'

/**
 * Locks the data directory in any case: it also holds the process's name and the admin socket.
 * @throws DirectoryInUse when another process has the directory, StartError when the database cannot be used
 */
export async function openDatabase(
  { databaseUrl, databasePool }: { readonly databaseUrl: string | undefined; readonly databasePool: number },
  dataDirectory: string,
): Promise<MigratableDatabase> {
  if (databaseUrl === undefined) {
    requireNoBrokenRestore(dataDirectory)
    return openEmbedded(dataDirectory)
  }
  const lock = lockDirectory(dataDirectory)
  try {
    const { openPostgres } = await import('./postgres.ts')
    const db = await openPostgres(databaseUrl, { poolSize: databasePool })
    return {
      ...db,
      close: async () => {
        await db.close()
        lock.release()
      },
    }
  } catch (error) {
    lock.release()
    throw error
  }
}
