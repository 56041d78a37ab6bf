import { StartError } from '../process/start-error.ts'
import { DatabaseUnavailable, type MigratableDatabase } from './port.ts'
import { type PostgresAddress, readPostgresAddress } from './postgres-address.ts'
import { connectPostgres, type PostgresConnection, type PostgresTimeouts } from './postgres-connection.ts'
import { explainConnectionError } from './postgres-connection-error.ts'
import { createPool, defaultPoolSize } from './postgres-pool.ts'
import { type Runner, workInside } from './transaction.ts'

const minVersion = 14

export interface PostgresOptions extends Partial<PostgresTimeouts> {
  readonly poolSize?: number
  readonly waitMs?: number
  readonly waiting?: number
}

/** Opens a pool of sessions and checks the server. @throws StartError with what to do; never contains the password */
export async function openPostgres(url: string, options: PostgresOptions = {}): Promise<MigratableDatabase> {
  const address = readPostgresAddress(url)
  const timeouts: PostgresTimeouts = {
    connectMs: options.connectMs ?? 10_000,
    statementMs: options.statementMs ?? 30_000,
    idleInTransactionMs: options.idleInTransactionMs ?? 30_000,
    answerGraceMs: options.answerGraceMs ?? 5000,
  }
  const pool = createPool(() => connectOrExplain(address, timeouts), {
    size: options.poolSize ?? defaultPoolSize,
    waitMs: options.waitMs ?? 10_000,
    waiting: options.waiting ?? 1000,
  })
  const endless = new Set<PostgresConnection>()
  try {
    await pool.use(async connection => requireUsable(address, connection))
  } catch (error) {
    await pool.close()
    throw error instanceof DatabaseUnavailable ? new StartError(error.message, { cause: error }) : error
  }
  return {
    query: (sql, parameters = []) => pool.use(connection => connection.query(sql, parameters)),
    transaction: (work, { unlimited = false } = {}) =>
      pool.use(async connection => {
        if (!unlimited) return inTransaction(connection, () => workInside(connection, work))
        endless.add(connection)
        try {
          return await inTransaction(connection, async () => {
            await connection.query('set local statement_timeout = 0', [])
            return workInside(connection.unlimited, work)
          })
        } finally {
          endless.delete(connection)
        }
      }),
    session: work =>
      pool.use(async connection => {
        try {
          return await work({
            query: (sql, parameters = []) => connection.query(sql, parameters),
            script: sql => connection.script(sql),
          })
        } finally {
          await connection.close()
        }
      }),
    load: () => pool.load(),
    close: async () => {
      const closed = pool.close()
      // A stopping process cannot wait for these.
      for (const connection of endless) connection.giveUp()
      await closed
    },
  }
}

async function connectOrExplain(
  address: PostgresAddress,
  timeouts: PostgresTimeouts,
): Promise<PostgresConnection> {
  try {
    return await connectPostgres(address, timeouts)
  } catch (error) {
    throw new DatabaseUnavailable(explainConnectionError(address, error), { cause: error })
  }
}

async function inTransaction<Value>(
  connection: PostgresConnection,
  work: () => Promise<Value>,
): Promise<Value> {
  await connection.query('begin', [])
  let value: Value
  try {
    value = await work()
  } catch (error) {
    // A session that cannot roll back is lost; the server then rolls back.
    if (!connection.isLost()) await connection.query('rollback', []).catch(() => {})
    throw error
  }
  await connection.query('commit', [])
  return value
}

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
