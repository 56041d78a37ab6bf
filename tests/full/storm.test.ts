import { expect, test } from 'vitest'
import { projectEngine } from '#support/engine.ts'
import { runStorm } from '#support/storm.ts'
import { createPlace } from '#support/storm-place.ts'

/** Issue 'Money': calls, and the events of top-ups, refunds and disputes, most of them sent repeatedly. */
const acts = 20_000
const kills = 100
const seed = 21

const engine = await projectEngine()
/** On PostgreSQL two at once, of which one never comes back. */
const servers = engine.kind === 'postgres' ? 2 : 1

test('after 100 kills during 20,000 calls, top-ups and events sent twice, the ledger balances to the micro-dollar', async () => {
  const { place, remove } = await createPlace()
  console.log(`a storm on ${engine.kind}, seed ${seed}, servers at once: ${servers}`)
  const startedAt = performance.now()
  try {
    const outcome = await runStorm({ acts, kills, seed, place, servers })
    const { breaches, wronglyPaid, wronglyCharged, differences, byLedger, byFacts, ...figures } = outcome
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    console.log(`after ${seconds} s: ${JSON.stringify(figures)}`)
    expect({ breaches, wronglyPaid, wronglyCharged, differences }).toEqual({
      breaches: [],
      wronglyPaid: [],
      wronglyCharged: [],
      differences: [],
    })
    expect(byLedger).toEqual(byFacts)
    expect(outcome).toMatchObject({ unsettled: 0, reserved: 0, kills })
    expect(outcome.placed + outcome.deliveries).toBeGreaterThanOrEqual(acts)
    // Each event was applied once, however often it was sent.
    expect(outcome.events).toBeLessThan(outcome.deliveries / 2)
    // A storm in which nothing of this happened shows nothing.
    const { minutesCharged, settlements, lost, refused, checkouts, autoTopUps } = figures
    const { refunds, disputes, rewards, held } = figures
    for (const figure of [minutesCharged, settlements, lost, refused, checkouts, autoTopUps]) {
      expect(figure).toBeGreaterThan(0)
    }
    for (const figure of [refunds, disputes, rewards, held]) expect(figure).toBeGreaterThan(0)
  } finally {
    await remove()
  }
})
