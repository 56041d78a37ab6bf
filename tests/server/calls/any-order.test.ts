import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playStory, storyArbitrary } from '#support/call-stories.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

test('whatever order reports, ticks, restarts and credits come in, each call is settled once and rightly', async () => {
  await fc.assert(
    fc.asyncProperty(storyArbitrary, async story => {
      expect(await playStory(world, story)).toEqual([])
    }),
    { numRuns: 60, seed: 13 },
  )
})
