import { afterAll, afterEach, expect } from 'vitest'
import { findBreaches } from './books.ts'
import type { World } from './world.ts'

/** Keeps a world for the tests of one file: its books are checked after each test, and it is closed after the last. */
export function keepForFile<W extends Pick<World, 'db' | 'close'>>(world: W): W {
  afterEach(async () => {
    expect(await findBreaches(world.db)).toEqual([])
  })
  afterAll(() => world.close())
  return world
}
