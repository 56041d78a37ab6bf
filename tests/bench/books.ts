import { monitorEventLoopDelay } from 'node:perf_hooks'
import { findPostgresPrograms } from '#scripts/postgres-programs.mjs'
import { checkRecentBooks } from '#server/ledger/books/recent.ts'
import { checkBooks } from '#server/ledger/books/whole.ts'
import { type Engine, openFreshDatabase } from '#support/engine.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { fillHistory, type HistorySize } from '#support/plans/history.ts'
import { startPostgres } from '#support/postgres.ts'
import type { Figure } from './main.ts'

/** A month of 1,000 users who talk six minutes a day. */
const month: HistorySize = { accounts: 1000, calls: 60_000, liveCalls: 20 }
/** 10 million transfers. */
const years: HistorySize = { accounts: 50_000, calls: 3_300_000, liveCalls: 1000 }
const dayMs = 24 * 3600_000

/** The daily check of the books: how long it takes, and for how long the server can do nothing else meanwhile. */
export async function benchBooks(): Promise<Figure[]> {
  const figures = await check('embedded', { kind: 'embedded' }, month)
  if (findPostgresPrograms() === undefined) return figures
  const server = await startPostgres()
  try {
    return [...figures, ...(await check('PostgreSQL', { kind: 'postgres', serverUrl: server.url }, years))]
  } finally {
    await server.stop()
  }
}

async function check(name: string, engine: Engine, size: HistorySize): Promise<Figure[]> {
  const clock = createStoppedClock()
  const { db, close } = await openFreshDatabase(engine, clock.now())
  try {
    await fillHistory(db, size, clock.now())
    clock.advance(dayMs)
    const daily = () => checkRecentBooks(db, clock, async () => undefined)
    const first = await measure(daily)
    clock.advance(dayMs)
    const next = await measure(daily)
    const whole = await measure(() => checkBooks(db))
    const analysis = await measure(async () => {
      await db.analyze?.()
      return { transfers: 0, breaches: [] }
    })
    return [
      { what: `${name}: transfers`, value: String(whole.transfers) },
      {
        what: `${name}: first check, then one after a day without calls`,
        value: `${first.text}; ${next.text}`,
      },
      { what: `${name}: all of the books on demand`, value: whole.text },
      ...(db.analyze === undefined ? [] : [{ what: `${name}: statistics`, value: analysis.text }]),
    ]
  } finally {
    await close()
  }
}

async function measure(
  work: () => Promise<{ transfers: number; breaches: readonly unknown[] }>,
): Promise<{ transfers: number; text: string }> {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const beganMs = performance.now()
  const { transfers, breaches } = await work()
  const seconds = (performance.now() - beganMs) / 1000
  delay.disable()
  if (breaches.length > 0) throw new Error('the books of a bench are wrong')
  const [p99, max] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  return {
    transfers,
    text: `${seconds.toFixed(1)} s, server held up for ${p99.toFixed(0)} ms (p99), ${max.toFixed(0)} ms at most`,
  }
}
