/** A value a statement may carry. Times are `Date`, money and counters are safe integers. */
export type Parameter = string | number | boolean | Date | Uint8Array | null | readonly string[]

/**
 * The database as services see it: plain PostgreSQL with `$1` placeholders. int8 arrives as a safe
 * integer (a larger one throws), timestamptz as `Date`, jsonb parsed, uuid and text as strings.
 */
export interface Db {
  query<Row>(sql: string, parameters?: readonly Parameter[]): Promise<Row[]>
  /**
   * Runs `work` in one transaction; a throw rolls all of it back and is passed on. Inside, use only the
   * `Db` handed in: the outer one waits for the transaction to end. Nested calls join the outer one.
   */
  transaction<Value>(work: (tx: Db) => Promise<Value>): Promise<Value>
}

export interface Database extends Db {
  /** Several statements at once, without parameters: migrations only. */
  script(sql: string): Promise<void>
  close(): Promise<void>
}

/** int8 as a number, or a throw: money beyond 2^53 micro-dollars (nine billion USD) is a bug. */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('an int8 from the database is not a safe integer')
  return value
}
