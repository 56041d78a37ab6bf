import postgres from 'postgres'
import { DatabaseUnavailable, type Parameter, parseInt8 } from './port.ts'
import type { PostgresAddress } from './postgres-address.ts'
import { readArray, writeArray } from './postgres-array.ts'
import type { Runner } from './transaction.ts'

/** All in milliseconds. */
export interface PostgresTimeouts {
  readonly connectMs: number
  /** The server cancels a statement that runs longer. */
  readonly statementMs: number
  /** The server ends a transaction in which nothing happens for so long. */
  readonly idleInTransactionMs: number
  /** How much longer than the server's own limit we wait for an answer, before the line counts as dead. */
  readonly answerGraceMs: number
}

/** One session with the server. It runs one statement at a time, and once it is lost it never comes back. */
export interface PostgresConnection extends Runner {
  /**
   * The same session, asked without a limit of ours: how long a statement takes is the server's to say
   * (`statement_timeout`), and whether the line is dead the operating system's.
   */
  readonly unlimited: Runner
  isLost(): boolean
  /** Breaks off whatever runs. */
  giveUp(): void
  close(): Promise<void>
}

/**
 * Opens one session. The driver would reconnect on its own and then run the rest of a transaction outside
 * any, on a new session: so each driver instance here has one connection, no queue, and ends with it.
 * @throws the driver's error, or DatabaseUnavailable after `connectMs`.
 */
export async function connectPostgres(
  address: PostgresAddress,
  timeouts: PostgresTimeouts,
): Promise<PostgresConnection> {
  let lost = false
  const sql = postgres({
    ...(address.host.startsWith('/')
      ? { path: `${address.host}/.s.PGSQL.${address.port}` }
      : // As a list, against the driver's types: a text with a colon, an IPv6 address, it would cut in two.
        { host: [address.host] as unknown as string, port: [address.port] as unknown as number }),
    user: address.user,
    pass: address.password,
    database: address.database,
    ssl: address.ssl,
    max: 1,
    // Its own way of learning about arrays ends the whole process when the session is cut meanwhile.
    fetch_types: false,
    prepare: true,
    idle_timeout: 0,
    max_lifetime: null,
    keep_alive: 60,
    backoff: false,
    // The driver's own limit ends with the first answer, ours with the first usable session.
    connect_timeout: 0,
    connection: {
      application_name: address.applicationName,
      statement_timeout: timeouts.statementMs,
      idle_in_transaction_session_timeout: timeouts.idleInTransactionMs,
      // What the use cases lock by; a stricter default of the database's would refuse them now and then.
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
        throw new DatabaseUnavailable(`the database has no room left (${(error as Error).message})`, {
          cause: error,
        })
      }
      if (takesNoChanges(error)) {
        // What was the primary is a standby now. Another session may find the new one; this one never will.
        giveUp()
        throw new DatabaseUnavailable(`the database takes no changes (${(error as Error).message})`, {
          cause: error,
        })
      }
      if (isRefusal(error)) throw error
      // Whatever else it is, the session's state is no longer known.
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

/** Prepared once per session, and one statement at a time, as the embedded database takes them. */
const extended = { prepare: true, simple: false }

function arrayOf<Value>(type: number, parse: (element: string) => Value) {
  return { to: type, from: [type], serialize: String, parse: (text: string) => readArray(text, parse) }
}

/** The values that the port promises, where the driver's own differ. */
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

/** Whether the server refused one statement for want of disk or memory (class 53), and the session goes on. */
function lacksRoom(error: unknown): boolean {
  return isRefusal(error) && ['53100', '53200'].includes((error as { code: string }).code)
}

/** Whether the server only lets itself be read, as a standby does (read_only_sql_transaction). */
function takesNoChanges(error: unknown): boolean {
  return isRefusal(error) && (error as { code: string }).code === '25006'
}

/** Whether the server refused one statement, and the session goes on. */
function isRefusal(error: unknown): boolean {
  return error instanceof postgres.PostgresError && error.severity === 'ERROR'
}

/** Whether the session ended: told so by the server, by the driver or by the operating system. */
function isLoss(error: unknown): boolean {
  if (error instanceof postgres.PostgresError) return true
  const { code, syscall } = error as NodeJS.ErrnoException
  return syscall !== undefined || code?.startsWith('CONNECTION_') === true
}
