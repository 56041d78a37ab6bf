import postgres from 'postgres'
import { DatabaseUnavailable, type Parameter, parseInt8, saysOutOfSpace } from './port.ts'
import type { PostgresAddress } from './postgres-address.ts'
import { readArray, writeArray } from './postgres-array.ts'
import type { Runner } from './transaction.ts'

export interface PostgresTimeouts {
  readonly connectMs: number
  /** The server cancels a statement that runs longer. */
  readonly statementMs: number
  /** The server ends a transaction that is idle for longer. */
  readonly idleInTransactionMs: number
  /** How much longer than the server's own limit we wait for an answer before the connection counts as dead. */
  readonly answerGraceMs: number
}

/** One session with the server. It runs one statement at a time, and is never reconnected. */
export interface PostgresConnection extends Runner {
  /** The same session without our timeout: the server limits statements, the system detects a dead connection. */
  readonly unlimited: Runner
  isLost(): boolean
  giveUp(): void
  close(): Promise<void>
}

/**
 * Opens one session. The driver would reconnect by itself and run the rest of a transaction outside of it, on a new session;
 * so each driver instance has one connection, no queue, and ends with it.
 * @throws the driver's error, or DatabaseUnavailable after `connectMs`
 */
export async function connectPostgres(
  address: PostgresAddress,
  timeouts: PostgresTimeouts,
): Promise<PostgresConnection> {
  let lost = false
  const sql = postgres({
    ...(address.host.startsWith('/')
      ? { path: `${address.host}/.s.PGSQL.${address.port}` }
      : // A list, despite the driver's types: it would split a string at a colon, and so an IPv6 address.
        { host: [address.host] as unknown as string, port: [address.port] as unknown as number }),
    user: address.user,
    pass: address.password,
    database: address.database,
    ssl: address.ssl,
    max: 1,
    // The driver's type lookup crashes the process if the session drops during it.
    fetch_types: false,
    prepare: true,
    idle_timeout: 0,
    max_lifetime: null,
    keep_alive: 60,
    backoff: false,
    // The driver's limit ends at the first answer; ours at the first usable session.
    connect_timeout: 0,
    connection: {
      application_name: address.applicationName,
      statement_timeout: timeouts.statementMs,
      idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
      // Our locking assumes read committed; a stricter default would reject some transactions.
      default_transaction_isolation: 'read committed',
      TimeZone: 'UTC',
      DateStyle: 'ISO',
      bytea_output: 'hex',
    },
    types: parameterTypes,
    onnotice: () => {},
    onclose: () => {
      lost = true
    },
  })
  const giveUp = () => {
    lost = true
    void sql.end({ timeout: 0 })
  }
  const run = async <Value>(work: () => Promise<Value>, limitMs?: number): Promise<Value> => {
    if (lost) throw new DatabaseUnavailable('the connection to the database is lost')
    const timer = limitMs === undefined ? undefined : setTimeout(giveUp, limitMs)
    try {
      return await work()
    } catch (error) {
      if (lacksRoom(error)) {
        throw new DatabaseUnavailable(`the database is out of space (${(error as Error).message})`, {
          cause: error,
        })
      }
      if (isReadOnly(error)) {
        // The former primary is now a standby. A new session may reach the new primary; this one never will.
        giveUp()
        throw new DatabaseUnavailable(`the database is read-only (${(error as Error).message})`, {
          cause: error,
        })
      }
      if (isRejection(error)) throw error
      // For any other error the state of the session is unknown.
      giveUp()
      throw isLoss(error)
        ? new DatabaseUnavailable('the connection to the database was lost', { cause: error })
        : error
    } finally {
      clearTimeout(timer)
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  const inTurn = <Value>(work: () => Promise<Value>, limitMs?: number): Promise<Value> => {
    const mine = last.then(() => run(work, limitMs))
    last = mine.catch(() => {})
    return mine
  }
  const opening = setTimeout(giveUp, timeouts.connectMs)
  try {
    await sql.unsafe('select 1', [], extended)
  } catch (error) {
    giveUp()
    throw error
  } finally {
    clearTimeout(opening)
  }
  const queryWithin =
    (limitMs: number | undefined): Runner['query'] =>
    <Row>(text: string, parameters: readonly Parameter[]) =>
      inTurn(
        async () => [...((await sql.unsafe(text, parameters.map(writeLists), extended)) as unknown as Row[])],
        limitMs,
      )
  const script: Runner['script'] = text =>
    inTurn(async () => {
      await sql.unsafe(text)
    })
  return {
    query: queryWithin(timeouts.statementMs + timeouts.answerGraceMs),
    script,
    unlimited: { query: queryWithin(undefined), script },
    isLost: () => lost,
    giveUp,
    close: async () => {
      lost = true
      await sql.end({ timeout: timeouts.answerGraceMs / 1000 })
    },
  }
}

/** Prepared once per session, one statement at a time, as in the embedded database. */
const extended = { prepare: true, simple: false }

function arrayOf<Value>(type: number, parse: (element: string) => Value) {
  return { to: type, from: [type], serialize: String, parse: (text: string) => readArray(text, parse) }
}

/** Types that `Db` promises, where the driver's differ. */
const parameterTypes = {
  int8: { to: 20, from: [20], serialize: String, parse: parseInt8 },
  json: { to: 114, from: [114, 3802], serialize: String, parse: (text: string): unknown => JSON.parse(text) },
  moment: {
    to: 1184,
    from: [1082, 1114, 1184],
    serialize: (value: Date | string) => (value instanceof Date ? value.toISOString() : value),
    parse: (text: string) => new Date(text),
  },
  bytes: {
    to: 17,
    from: [17],
    serialize: (value: Uint8Array) => `\\x${Buffer.from(value).toString('hex')}`,
    parse: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  },
  integers: arrayOf(1007, Number),
  int8s: arrayOf(1016, parseInt8),
  texts: arrayOf(1009, String),
  uuids: arrayOf(2951, String),
}

function writeLists(value: Parameter): Exclude<Parameter, readonly string[]> {
  return Array.isArray(value)
    ? writeArray(value as readonly string[])
    : (value as Exclude<Parameter, readonly string[]>)
}

function lacksRoom(error: unknown): boolean {
  return isRejection(error) && saysOutOfSpace((error as { code: string }).code)
}

/** The server is read-only, as a standby is (read_only_sql_transaction). */
function isReadOnly(error: unknown): boolean {
  return isRejection(error) && (error as { code: string }).code === '25006'
}

function isRejection(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === 'ERROR'
}

/** The session has ended, as reported by the server, the driver or the operating system. */
function isLoss(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return true
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall !== undefined || code?.startsWith('CONNECTION_') === true
}
