import type { Database, Db, Transaction } from '#server/db/port.ts'

/** What a failpoint throws: the connection is gone, and with it whatever was not committed. */
export class Failpoint extends Error {
  constructor(at: number, where: 'before' | 'after') {
    super(`the database failed ${where} statement ${at}`)
    this.name = 'Failpoint'
  }
}

export interface FailingDatabase {
  readonly db: Database
  /** Statements seen so far, commits counted as one each. */
  count(): number
}

/**
 * A database that breaks off at its n-th statement, before or after it ran. A commit counts as a statement:
 * broken off before, it is rolled back; after, it stands and nobody hears of it. Later statements work again.
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
