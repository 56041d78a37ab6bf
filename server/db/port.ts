/** A value a statement may carry. Times are `Date`, money and counters are safe integers. */
export type Parameter = string | number | boolean | Date | Uint8Array | null | readonly string[]

/**
 * The database as services see it: plain PostgreSQL with `$1` placeholders. int8 arrives as a safe
 * integer (a larger one throws), timestamptz as `Date`, jsonb parsed, bytea as `Uint8Array`, uuid, text and
 * numeric as strings. JSON goes in as text. What the database refuses is thrown with its SQLSTATE as `code`.
 */
export interface Db {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /**
   * Runs `work` in one transaction; a throw rolls all of it back and is passed on, and so is a failed
   * statement that `work` itself overlooked. Inside, use only the `Db` handed in: it works until the
   * transaction ends, and never outside it. Nested calls join the outer one, and take its options.
   */
  transaction<Value>(work: (tx: Transaction) => Promise<Value>, options?: TransactionOptions): Promise<Value>
}

export interface TransactionOptions {
  /**
   * Its statements may take as long as they take: for what reads everything. It is not waited for when the database is closed,
   * but broken off. The embedded database has no limit to lift.
   */
  readonly unlimited?: boolean
}

export interface Transaction extends Db {
  /** Several statements at once, without parameters and without a limit of time: migrations only. */
  script(sql: string): Promise<void>
}

/** One session with the database, outside any transaction. */
export interface Session {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /** Several statements at once, without parameters and without a limit of time. */
  script(sql: string): Promise<void>
}

export interface PoolLoad {
  /** Sessions that work has now. */
  readonly busy: number
  /** Work that waits for one. */
  readonly waiting: number
  /** Sessions at most. */
  readonly size: number
}

export interface Database extends Db {
  /** How much of its sessions is in use. Missing: there is one, which work takes turns on. */
  load?(): PoolLoad
  /** Lets what runs come to its end, then disconnects. */
  close(): Promise<void>
}

/** A database as it was opened, whose schema can be changed. */
export interface MigratableDatabase extends Database {
  /** Lends one session of its own: migrations only. On PostgreSQL, what it sets and locks ends with it. */
  session<Value>(work: (session: Session) => Promise<Value>): Promise<Value>
}

/** The database cannot be reached, dropped the connection, has none to spare, or takes no changes. Trying later may help. */
export class DatabaseUnavailable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** int8 as a number, or a throw: money beyond 2^53 micro-dollars (nine billion USD) is a bug. */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 from the database is not a safe integer')
  return value
}
