import { expect, test } from 'vitest'
import { systemClock } from '#server/clock.ts'
import { migrate } from '#server/db/migrate.ts'
import { findBreaches } from '#support/books.ts'
import { runUntilKilled } from '#support/failpoint-run.ts'
import { createChance } from '#support/storm-chance.ts'
import { openPlace } from '#support/storm-database.ts'
import { createPlace } from '#support/storm-place.ts'

const seeds = 200
/** A first call takes about so many statements from its placing to its settlement. */
const statements = 40

test(`${seeds} processes killed in the middle of a charge leave balanced books, each to the next`, async () => {
  const { place, remove } = await createPlace()
  try {
    const first = await openPlace(place)
    await migrate(first, systemClock.now())
    await first.close()
    for (let seed = 1; seed <= seeds; seed += 1) {
      const chance = createChance(seed)
      const base = { place, nodeId: 'the-only-one', name: `seed-${seed}`, startsAtMs: seed * 3_600_000 }
      // Two thirds die at a chosen statement, the others wherever they happen to be.
      const death =
        seed % 3 === 0
          ? undefined
          : { at: 1 + Math.floor(chance.upTo(statements)), where: chance.pick(['before', 'after'] as const) }
      const end = await runUntilKilled({ ...base, death }, death === undefined ? chance.upTo(80) : undefined)
      expect({ seed, death, end }).toMatchObject({ end: 'SIGKILL' })
    }
    const db = await openPlace(place)
    try {
      expect(await findBreaches(db)).toEqual([])
      const [calls] = await db.query<{ total: number; lost: number }>(
        `select count(*)::int as total, count(*) filter (where outcome = 'interrupted')::int as lost from call`,
      )
      console.log(`kill -9 in the middle: ${JSON.stringify({ seeds, ...calls })}`)
      expect(calls?.lost).toBeGreaterThan(seeds / 4)
    } finally {
      await db.close()
    }
  } finally {
    await remove()
  }
})
