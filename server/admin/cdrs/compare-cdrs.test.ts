import { expect, test } from 'vitest'
import type { CallDetailRecord, CdrFile } from './cdr-file.ts'
import { compareCdrs, type OwnCall } from './compare-cdrs.ts'

const noonMs = Date.UTC(2026, 10, 3, 12, 0, 0)
const number = '+12125550142'

let calls = 0
/** A call that was answered so many seconds after noon. */
function call(atSeconds: number, seconds = 60, own: Partial<OwnCall> = {}): OwnCall {
  calls += 1
  const answeredAtMs = noonMs + atSeconds * 1000
  return {
    callId: `call-${calls}`,
    number,
    beganAtMs: answeredAtMs - 20_000,
    answeredAtMs,
    answeredMs: seconds * 1000,
    costMicroUsd: 9_000,
    ...own,
  }
}

let lines = 1
function record(atSeconds: number, seconds = 60, theirs: Partial<CallDetailRecord> = {}): CallDetailRecord {
  lines += 1
  return {
    line: lines,
    number,
    atMs: noonMs + atSeconds * 1000,
    seconds,
    costMicroUsd: undefined,
    ...theirs,
  }
}

const compare = (
  records: readonly CallDetailRecord[],
  ours: readonly OwnCall[],
  times: CdrFile['times'] = 'answer',
) => compareCdrs({ times, records, faults: [] }, ours)

/** Records that have no call, and calls that have no record. */
function unmatched(...given: Parameters<typeof compare>) {
  const { onlyCarrier, onlyOurs } = compare(...given)
  return [onlyCarrier.map(({ line }) => line), onlyOurs.map(({ callId }) => callId)]
}

test('the same calls on both sides do not differ', () => {
  const records = [record(0, 61, { costMicroUsd: 18_000 }), record(100, 30, { costMicroUsd: 9_000 })]
  expect(compare(records, [call(0, 61), call(100, 30)])).toEqual({
    fromMs: noonMs,
    untilMs: noonMs + 100_000,
    records: 2,
    calls: 2,
    onlyCarrier: [],
    onlyOurs: [],
    durations: [],
    costs: [],
    theirs: { seconds: 91, costMicroUsd: 27_000 },
    ours: { seconds: 91, costMicroUsd: 27_000 },
  })
})

test('a call of one side alone is named', () => {
  const [here, there] = [call(50, 7), record(50, 9, { number: '+442079460000' })]
  const {
    onlyCarrier,
    onlyOurs,
    calls: counted,
  } = compare([record(0), there, record(100)], [call(0), here, call(100)])
  expect(onlyCarrier).toEqual([there])
  expect(onlyOurs).toEqual([{ callId: here.callId, number, atMs: here.answeredAtMs, seconds: 7 }])
  expect(counted).toBe(3)
})

test('answers match within five seconds', () => {
  expect(unmatched([record(5)], [call(0)])).toEqual([[], []])
  expect(unmatched([record(-5)], [call(0)])).toEqual([[], []])
  const late = record(5.001)
  expect(unmatched([late], [call(0)])).toEqual([[late.line], []])
})

test('a start time matches from the placing of a call to its answer', () => {
  for (const seconds of [-25, -20, -10, 0, 5])
    expect(unmatched([record(seconds)], [call(0)], 'start')).toEqual([[], []])
  const early = record(-26)
  expect(unmatched([early], [call(0)], 'start')).toEqual([[early.line], []])
  const placed = record(-20)
  expect(unmatched([placed], [call(0)], 'answer')).toEqual([[placed.line], []])
})

test('calls outside the time span of the file are not missed', () => {
  const inside = call(10)
  const ours = [call(-3), call(0), inside, call(20), call(23)]
  expect(unmatched([record(0), record(20)], ours)).toEqual([[], [inside.callId]])
  // The carrier may count it from its answer, after the last record.
  expect(unmatched([record(0), record(20)], [call(0), call(20), call(30)], 'start')).toEqual([[], []])
})

test('the nearest are matched first, one to one, in any order', () => {
  const [far, near] = [record(3, 10), record(1, 20)]
  expect(compare([far, near], [call(0, 20)])).toMatchObject({ onlyCarrier: [far], durations: [] })
  expect(compare([near, far], [call(0, 20)])).toMatchObject({ onlyCarrier: [far], durations: [] })
  const ours = [call(0, 20), call(4, 10)]
  expect(compare([far, near], ours)).toMatchObject({ onlyCarrier: [], onlyOurs: [], durations: [] })
})

test('of equally near ones those of the same duration belong together', () => {
  const records = [record(0, 300), record(0, 20), record(0, 100)]
  const ours = [call(0, 20), call(0, 100), call(0, 300)]
  expect(compare(records, ours)).toMatchObject({ onlyCarrier: [], onlyOurs: [], durations: [] })
})

test('many calls to one number are matched without comparing each with each', () => {
  const many = Array.from({ length: 20_000 }, (_, index) => index * 10)
  const missing = record(55, 60)
  const found = compare(
    [...many.map(at => record(at + 2)), missing],
    many.map(at => call(at)),
  )
  expect(found.onlyCarrier).toEqual([missing])
  expect(found.onlyOurs).toEqual([])
})

test.each([
  [61, 61],
  [61, 64],
  [61, 58],
  // Rounded up to 6, 30 and 60 seconds.
  [61, 66],
  [61, 90],
  [61, 120],
  [59, 60],
  // The carrier counted a second more, and then rounded.
  [60, 120],
])('a duration of %i s may be billed as %i s', (ours, theirs) => {
  expect(compare([record(0, theirs)], [call(0, ours)]).durations).toEqual([])
})

test.each([
  [61, 65],
  [61, 57],
  [61, 180],
  [10, 90],
  [600, 0],
])('a duration of %i s that is billed as %i s differs', (ours, theirs) => {
  const one = record(0, theirs)
  expect(compare([one], [call(0, ours)]).durations).toEqual([{ ...one, ourSeconds: ours }])
})

test('a started second of ours counts', () => {
  expect(compare([record(0, 1)], [call(0, 0.2)]).ours).toEqual({ seconds: 1, costMicroUsd: 9_000 })
})

test('costs above the price list are named, by the minutes that the carrier counts', () => {
  const cost = (seconds: number, costMicroUsd: number) =>
    compare([record(0, seconds, { costMicroUsd })], [call(0, seconds)]).costs.map(
      ({ expectedMicroUsd }) => expectedMicroUsd,
    )
  expect(cost(60, 9_000)).toEqual([])
  expect(cost(60, 9_100)).toEqual([])
  expect(cost(60, 9_101)).toEqual([9_000])
  expect(cost(61, 18_100)).toEqual([])
  expect(cost(61, 18_101)).toEqual([18_000])
  expect(cost(6, 900)).toEqual([])
})

test('totals without costs of the carrier say so, and are whole micro-dollars with them', () => {
  expect(compare([record(0)], [call(0)]).theirs).toEqual({ seconds: 60, costMicroUsd: null })
  const records = [record(0, 60, { costMicroUsd: 1 }), record(100)]
  expect(compare(records, [call(0), call(100)]).theirs).toEqual({ seconds: 120, costMicroUsd: 1 })
})
