import type { Db, Parameter, Transaction } from './port.ts'

export interface Runner {
  query<Row>(sql: string, parameters: readonly Parameter[]): Promise<Row[]>
  script(sql: string): Promise<void>
}

/**
 * Runs `work` on an open transaction; the adapter commits when this resolves and rolls back when it throws. PostgreSQL
 * answers the commit of a failed transaction with a rollback and no error, so the failure is thrown here.
 */
export async function workInside<Value>(
  runner: Runner,
  work: (tx: Transaction) => Promise<Value>,
): Promise<Value> {
  let ended = false
  let failure: { readonly error: unknown } | undefined
  let running: Promise<unknown> = Promise.resolve()
  const watch = async <Result>(run: () => Promise<Result>): Promise<Result> => {
    if (ended) throw new Error('the transaction has ended')
    const result = run()
    running = Promise.allSettled([running, result])
    try {
      return await result
    } catch (error) {
      failure ??= { error }
      throw error
    }
  }
  const query: Db['query'] = <Row>(sql: string, parameters: readonly Parameter[] = []) =>
    watch(() => runner.query<Row>(sql, parameters))
  const tx: Transaction = {
    query,
    script: sql => watch(() => runner.script(sql)),
    transaction: nested => nested(tx),
  }
  let value: Value
  try {
    value = await work(tx)
  } finally {
    ended = true
    // Statements that `work` did not await belong to the transaction too.
    await running
  }
  if (failure !== undefined) throw failure.error
  return value
}
