import { expect } from 'vitest'
import { createWorld } from '#support/world.ts'
import { explainEach } from './explain.ts'
import { fillHistory, type HistorySize } from './history.ts'
import { doWhatIsDoneOften } from './stories.ts'

/** Maximum rows of an ordinary statement: one account, one run of a worker, or one page. */
const fewRows = 500

/**
 * Statements about all live calls, identified by a part of their text: counts, a network's calls, the daily check.
 */
const aboutLiveCalls = ['as answered', 'carrier_leg = any', 'as metered', 'as seen']

/**
 * Runs frequent operations on a database with a long history, and expects each statement to read few rows. Statements
 * about all live calls may read as many rows as there are live calls.
 */
export async function expectNarrowStatements(size: HistorySize): Promise<void> {
  const world = await createWorld()
  try {
    await fillHistory(world.db, size, world.clock.now())
    const { db, scans, explained } = explainEach(world.db)
    await doWhatIsDoneOften(world, db)
    expect(explained()).toBeGreaterThan(70)
    const wide = scans().filter(({ rowsRead }) => rowsRead > fewRows)
    expect(wide.filter(({ rowsRead }) => rowsRead > size.liveCalls + fewRows)).toEqual([])
    expect(wide.filter(({ table }) => !['call', 'call_meter'].includes(table))).toEqual([])
    expect(wide.filter(({ sql }) => !aboutLiveCalls.some(part => sql.includes(part)))).toEqual([])
  } finally {
    await world.close()
  }
}
