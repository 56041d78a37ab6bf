/** Seeded randomness: the same seed gives the same storm, as far as the machine's timing allows. */
export interface Chance {
  /** A number from 0 up to, not including, `max`. */
  upTo(max: number): number
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** An independent generator, seeded from this one. */
  fork(): Chance
}

/** Mulberry32: 32 bits of state, uniform enough for tests. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
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
