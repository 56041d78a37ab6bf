/** A value a statement may carry. Times are `Date`, money and counters are safe integers. */
export type Parameter = string | number | boolean | Date | Uint8Array | null | readonly string[]

/**
 * The database as services see it: plain PostgreSQL with `$1` placeholders. int8 arrives as a safe integer (a larger one
 * throws), timestamptz as `Date`, jsonb parsed, bytea as `Uint8Array`, uuid, text and numeric as strings. JSON is passed as
 * text. Database errors are thrown with their SQLSTATE as `code`.
 */
export interface Db {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /**
   * Runs `work` in one transaction. A throw rolls it back and is passed on; so is a failed statement that `work` ignored.
   * Use only the `Db` handed in; it throws after the transaction has ended. Nested calls join the outer transaction and use
   * its options.
   */
  transaction<Value>(work: (tx: Transaction) => Promise<Value>, options?: TransactionOptions): Promise<Value>
}

export interface TransactionOptions {
  /** No statement timeout, for work that reads everything. Closing the database cancels it. */
  readonly unlimited?: boolean
}

export interface Transaction extends Db {
  /** Several statements at once, without parameters or a timeout: migrations only. */
  script(sql: string): Promise<void>
}

/** One session with the database, outside any transaction. */
export interface Session {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /** Several statements at once, without parameters or a timeout. */
  script(sql: string): Promise<void>
}

export interface PoolLoad {
  readonly busy: number
  readonly waiting: number
  readonly size: number
}

export interface Database extends Db {
  /** Use of the session pool. Undefined where there is only one session, used in turn. */
  load?(): PoolLoad
  /** Updates the planner's statistics, one table at a time. Undefined where the database does so by itself. */
  analyze?(): Promise<void>
  close(): Promise<void>
}

export interface MigratableDatabase extends Database {
  /** Lends a session of its own: migrations only. On PostgreSQL, its settings and locks end with it. */
  session<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
}

/** The database cannot be reached, dropped the connection, has no session or disk to spare, or is read-only. A retry may help. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** Whether this SQLSTATE says that the server is out of disk or memory for one statement; the session goes on. */
export function saysOutOfSpace(code: unknown): boolean {
  return code === '53100' || code === '53200'
}

/** int8 as a number. @throws RangeError above 2^53: money beyond that (nine billion USD in micro-dollars) is a bug */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 from the database is not a safe integer')
  return value
}
