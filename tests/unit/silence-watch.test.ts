import { expect, test } from 'vitest'
import { createSilenceWatch } from '#voice/silence-watch.ts'

function changes(samples: readonly number[]): boolean[] {
  const told: boolean[] = []
  const watch = createSilenceWatch(arriving => told.push(arriving))
  for (const packets of samples) watch.sample(packets)
  return told
}

test('four seconds without a packet are told once, and so is the first packet after them', () => {
  expect(changes([50, 50, 0, 0, 0])).toEqual([])
  expect(changes([50, 50, 0, 0, 0, 0, 0, 0])).toEqual([false])
  expect(changes([50, 0, 0, 0, 0, 0, 1, 50])).toEqual([false, true])
})

test('a line that never sends is missed as well', () => {
  expect(changes([Number.NaN, Number.NaN, Number.NaN, Number.NaN])).toEqual([false])
})

test('gaps are not silence', () => {
  expect(changes([0, 0, 0, 50, 0, 0, 0, 50, 0, 0, 0])).toEqual([])
})
