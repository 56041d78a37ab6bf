import { expect, test } from 'vitest'
import { migrate } from '#server/db/migrate.ts'
import { systemClock } from '#server/process/clock.ts'
import { findBreaches } from '#support/books.ts'
import { runUntilKilled } from '#support/failpoint-run.ts'
import { createChance } from '#support/storm-chance.ts'
import { openPlace, type Place } from '#support/storm-database.ts'
import { createPlace } from '#support/storm-place.ts'

const seeds = 200
/** Two databases, each with every other seed: as many as a small machine has cores. */
const lanes = [1, 2]
/** Settling what was left behind and a first call take about this many statements. */
const statements = 50

interface Left {
  readonly calls: number
  /** Settled by a later process. */
  readonly lost: number
}

test(`${seeds} processes killed in the middle of a charge leave balanced books, each to the next`, async () => {
  const left = await Promise.all(lanes.map(killOneAfterTheOther))
  console.log(`kill -9 in the middle: ${JSON.stringify({ seeds, left })}`)
  const lost = left.reduce((sum, lane) => sum + lane.lost, 0)
  expect(lost).toBeGreaterThan(seeds / 4)
})

async function killOneAfterTheOther(firstSeed: number): Promise<Left> {
  const { place, remove } = await createPlace()
  try {
    const first = await openPlace(place)
    await migrate(first, systemClock.now())
    await first.close()
    for (let seed = firstSeed; seed <= seeds; seed += lanes.length) await kill(place, seed)
    const db = await openPlace(place)
    try {
      expect(await findBreaches(db)).toEqual([])
      const [left] = await db.query<Left>(
        `select count(*)::int as calls, count(*) filter (where outcome = 'interrupted')::int as lost from call`,
      )
      if (left === undefined) throw new Error('a count has one row')
      return left
    } finally {
      await db.close()
    }
  } finally {
    await remove()
  }
}

/** Two thirds die at a chosen statement, the others wherever they happen to be. */
async function kill(place: Place, seed: number): Promise<void> {
  const chance = createChance(seed)
  const death =
    seed % 3 === 0
      ? undefined
      : { at: 1 + Math.floor(chance.upTo(statements)), where: chance.pick(['before', 'after'] as const) }
  const options = { place, nodeId: 'the-only-one', name: `seed-${seed}`, startsAtMs: seed * 3_600_000, death }
  const end = await runUntilKilled(options, death === undefined ? chance.upTo(100) : undefined)
  expect({ seed, death, end }).toMatchObject({ end: 'SIGKILL' })
}
