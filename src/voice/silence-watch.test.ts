import { expect, test } from 'vitest'
import { createSilenceWatch } from './silence-watch.ts'

function changes(samples: readonly number[]): boolean[] {
  const reports: boolean[] = []
  const watch = createSilenceWatch(arriving => reports.push(arriving))
  for (const packets of samples) watch.sample(packets)
  return reports
}

const empty = (seconds: number) => Array<number>(seconds).fill(0)

test('reports ten seconds without a packet once, and the first packet after them', () => {
  expect(changes([50, 50, ...empty(9)])).toEqual([])
  expect(changes([50, 50, ...empty(20)])).toEqual([false])
  expect(changes([50, ...empty(12), 1, 50])).toEqual([false, true])
})

test('a mended path is watched afresh', () => {
  const reports: boolean[] = []
  const watch = createSilenceWatch(arriving => reports.push(arriving))
  for (const packets of empty(10)) watch.sample(packets)
  watch.restart()
  for (const packets of empty(10)) watch.sample(packets)
  expect(reports).toEqual([false, false])
})

test('a line that never sends is missed as well', () => {
  expect(changes(Array<number>(10).fill(Number.NaN))).toEqual([false])
})

test('gaps are not silence', () => {
  expect(changes([...empty(9), 50, ...empty(9), 50, ...empty(9)])).toEqual([])
})
