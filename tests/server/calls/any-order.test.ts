import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { playStory, storyArbitrary } from '#support/call-stories.ts'
import { createWorld, type World } from '#support/world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(async () => {
  await world.close()
})

test('whatever order reports, ticks, restarts and credits come in, each call is settled once and rightly', async () => {
  await fc.assert(
    fc.asyncProperty(storyArbitrary, async story => {
      expect(await playStory(world, story)).toEqual([])
    }),
    { numRuns: 60, seed: 13 },
  )
})
