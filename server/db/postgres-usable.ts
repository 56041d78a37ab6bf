import { StartError } from '../process/start-error.ts'
import type { PostgresAddress } from './postgres-address.ts'
import type { Runner } from './transaction.ts'

const minVersion = 14

/** Checks version and encoding: names in every script must be storable. @throws StartError with what to do */
export async function requireUsable(
  { database }: Pick<PostgresAddress, 'database'>,
  runner: Pick<Runner, 'query'>,
): Promise<void> {
  const [server] = await runner.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int / 10000 as version,
       current_setting('server_encoding') as encoding`,
    [],
  )
  if (server === undefined) throw new Error('PostgreSQL did not report its version')
  if (server.version < minVersion) {
    throw new StartError(
      `The database runs on PostgreSQL ${server.version}. Farline needs ${minVersion} or newer: upgrade it, or name another one in DATABASE_URL.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new StartError(
      `The database ${database} has the encoding ${server.encoding}, which cannot hold all names. ` +
        'Create one with UTF8 (createdb -T template0 -E UTF8 <name>), and set DATABASE_URL to it.',
    )
  }
}
