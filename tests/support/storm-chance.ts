/** Chance from a seed: the same seed brings the same storm, as far as the machine's timing allows. */
export interface Chance {
  /** From 0 up to, not including, `most`. */
  upTo(most: number): number
  /** With a probability from 0 to 1. */
  happens(probability: number): boolean
  pick<Item>(items: readonly Item[]): Item
  /** One that goes its own way from here. */
  fork(): Chance
}

/** Mulberry32: 32 bits of state, even enough for tests. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    upTo: most => next() * most,
    happens: probability => next() < probability,
    pick: items => {
      const item = items[Math.floor(next() * items.length)]
      if (item === undefined) throw new RangeError('nothing to pick from')
      return item
    },
    fork: () => createChance(Math.floor(next() * 4_294_967_296)),
  }
}
