import type { Database, Db, Transaction } from '#server/db/port.ts'

/** Simulates a lost connection: uncommitted changes are rolled back. */
export class Failpoint extends Error {
  constructor(at: number, where: 'before' | 'after') {
    super(`the database failed ${where} statement ${at}`)
    this.name = 'Failpoint'
  }
}

export interface FailingDatabase {
  readonly db: Database
  /** Statements executed so far. A commit counts as one. */
  count(): number
}

/**
 * A database that fails at its n-th statement, before or after executing it. A commit counts as a statement: failing
 * before it rolls back; failing after it leaves a commit that the client does not know of. Later statements succeed.
 * @param breakOff throws, or ends the process
 */
export function failAt(
  db: Database,
  at: number,
  where: 'before' | 'after',
  breakOff: () => void = () => {
    throw new Failpoint(at, where)
  },
): FailingDatabase {
  let seen = 0

  async function pass<Value>(run: () => Promise<Value>): Promise<Value> {
    seen += 1
    const here = seen === at
    if (here && where === 'before') breakOff()
    const value = await run()
    if (here && where === 'after') breakOff()
    return value
  }

  const transaction: Db['transaction'] = async work => {
    let commit = 0
    const value = await db.transaction(async tx => {
      const wrapped: Transaction = {
        query: (sql, parameters) => pass(() => tx.query(sql, parameters)),
        transaction: nested => nested(wrapped),
        script: sql => tx.script(sql),
      }
      const result = await work(wrapped)
      seen += 1
      commit = seen
      if (commit === at && where === 'before') breakOff()
      return result
    })
    if (commit === at && where === 'after') breakOff()
    return value
  }

  return {
    db: {
      query: (sql, parameters) => pass(() => db.query(sql, parameters)),
      transaction,
      close: () => db.close(),
    },
    count: () => seen,
  }
}
