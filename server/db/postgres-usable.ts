import { StartError } from '../start-error.ts'
import type { PostgresAddress } from './postgres-address.ts'
import type { Runner } from './transaction.ts'

/** The oldest major version that `docs/configuration.md` names. */
const leastVersion = 14

/**
 * Makes sure that the database is one that Farline works on: names in every script have to fit in.
 * @throws StartError with what to do
 */
export async function requireUsable(
  { database }: Pick<PostgresAddress, 'database'>,
  runner: Pick<Runner, 'query'>,
): Promise<void> {
  const [server] = await runner.query<{ version: number; encoding: string }>(
    `select current_setting('server_version_num')::int / 10000 as version,
       current_setting('server_encoding') as encoding`,
    [],
  )
  if (server === undefined) throw new Error('PostgreSQL does not say what it is')
  if (server.version < leastVersion) {
    throw new StartError(
      `The database runs on PostgreSQL ${server.version}. Farline needs ${leastVersion} or newer: upgrade it, or name another one in DATABASE_URL.`,
    )
  }
  if (server.encoding !== 'UTF8') {
    throw new StartError(
      `The database ${database} keeps its text as ${server.encoding}, which cannot hold everybody's name. ` +
        'Make one with UTF8 (createdb -T template0 -E UTF8 <name>) and name it in DATABASE_URL.',
    )
  }
}
