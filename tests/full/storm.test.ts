import { expect, test } from 'vitest'
import { projectEngine } from '#support/engine.ts'
import { runStorm } from '#support/storm.ts'
import { createPlace } from '#support/storm-place.ts'

const storm = { calls: 2000, kills: 20 }
const engine = await projectEngine()

async function expectBalanced(servers: number, seed: number): Promise<void> {
  const { place, remove } = await createPlace()
  try {
    const outcome = await runStorm({ ...storm, place, servers, seed })
    const { breaches, wronglyCredited, ...figures } = outcome
    console.log(`storm on ${engine.kind}, servers at once: ${servers}: ${JSON.stringify(figures)}`)
    expect(outcome).toMatchObject({ unsettled: 0, reserved: 0, wronglyCredited: [], breaches: [] })
    expect(outcome.kills).toBe(storm.kills)
    expect(outcome.calls).toBeGreaterThanOrEqual(storm.calls)
    // A storm in which nothing of this happened shows nothing.
    const { minutesCharged, settlements, exhausted, lost, refused, topUps, duplicates } = outcome
    for (const figure of [minutesCharged, settlements, exhausted, lost, refused]) {
      expect(figure).toBeGreaterThan(0)
    }
    expect(duplicates).toBeGreaterThanOrEqual(topUps)
  } finally {
    await remove()
  }
}

test('20 kills during 2,000 calls and payments told twice leave balanced books', async () => {
  await expectBalanced(1, 21)
})

test.runIf(engine.kind === 'postgres')(
  'so they do with two servers at once, of which one never comes back',
  async () => {
    await expectBalanced(2, 22)
  },
)
