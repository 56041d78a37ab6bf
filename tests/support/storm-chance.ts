import { seeded } from './seeded.ts'

/** Seeded randomness: the same seed gives the same storm, as far as the machine's timing allows. */
export interface Chance {
  /** A number from 0 up to, not including, `max`. */
  upTo(max: number): number
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** An independent generator, seeded from this one. */
  fork(): Chance
}

export function createChance(seed: number): Chance {
  const next = seeded(seed)
  return {
    upTo: max => next() * max,
    happens: probability => next() < probability,
    pick: items => {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    fork: () => createChance(Math.floor(next() * 4_294_967_296)),
  }
}
