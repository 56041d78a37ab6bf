import fc from 'fast-check'
import { expect, test } from 'vitest'
import { playStory, storyArbitrary } from '#support/call-stories.ts'
import { createWorld } from '#support/world.ts'

const storiesPerWorld = 200

/** A new database every so often: checking the ledger of thousands of stories after each one takes long. */
test.each(Array.from({ length: 15 }, (_, index) => index + 1))(
  'thousands of stories with two processes end in balanced books: seed %i',
  async seed => {
    const world = await createWorld()
    try {
      await fc.assert(
        fc.asyncProperty(storyArbitrary, async story => {
          expect(await playStory(world, story)).toEqual([])
        }),
        { numRuns: storiesPerWorld, seed },
      )
    } finally {
      await world.close()
    }
  },
  600_000,
)
