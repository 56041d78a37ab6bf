import fc from 'fast-check'
import { expect, test } from 'vitest'
import { callQuality } from '#lib/api/call-quality.ts'
import type { LineSample } from '#voice/quality.ts'
import { isHeard, measure, noMeasures, reportOf } from './call-measures.ts'

const second: LineSample = {
  mos: 4,
  lossPercent: 0,
  sentLossPercent: 0,
  jitterMs: 10,
  roundTripMs: 100,
  packetsReceived: 50,
  spokenLevel: 0.01,
  heardLevel: 0.05,
  warnings: [],
}
/** An amplitude so many steps of a 16-bit sound high. */
const steps = (count: number) => count / 32_768

test('hears what a telephone network can carry, down to its comfort noise and the smallest step of its code', () => {
  for (const count of [8, 13, 32, 3000])
    expect(isHeard({ ...second, heardLevel: steps(count) }), `${count}`).toBe(true)
})

test('hears nothing in silence, in the rounding of silence, and where no packet came', () => {
  for (const count of [0, 1, 2])
    expect(isHeard({ ...second, heardLevel: steps(count) }), `${count}`).toBe(false)
  expect(isHeard({ ...second, packetsReceived: 0 })).toBe(false)
})

test('counts packets where the browser does not report the audio level', () => {
  expect(isHeard({ ...second, heardLevel: null })).toBe(true)
})

test('reports a silent call as silent, though the level of its first second is unknown', () => {
  const silent = { ...second, heardLevel: 0 }
  const unknown = { ...second, heardLevel: null }
  const reported = (...samples: LineSample[]) => reportOf(samples.reduce(measure, noMeasures))
  expect(reported(unknown, silent, silent)).toMatchObject({ seconds: 2, heardSeconds: 0 })
  expect(reported(unknown, silent, unknown, silent)).toMatchObject({ seconds: 2, heardSeconds: 0 })
  expect(reported(unknown, second)).toMatchObject({ seconds: 1, heardSeconds: 1 })
  // Such a browser never says.
  expect(reported(unknown, unknown)).toMatchObject({ seconds: 2, heardSeconds: 2 })
})

test('a report has means of what was measured, and null where nothing was', () => {
  const measures = [
    second,
    { ...second, mos: null, lossPercent: 3, roundTripMs: null },
    { ...second, packetsReceived: 0, heardLevel: 0, jitterMs: 0 },
  ].reduce(measure, noMeasures)
  expect(reportOf(measures)).toEqual({
    seconds: 3,
    heardSeconds: 2,
    mos: 4,
    lossPercent: 34.33,
    jitterMs: 10,
    roundTripMs: 100,
  })
  expect(reportOf(noMeasures)).toMatchObject({ seconds: 0, mos: null, lossPercent: null })
})

test('the server accepts the report, whatever was measured', () => {
  const anything = fc.record({
    mos: fc.option(fc.double()),
    lossPercent: fc.double(),
    sentLossPercent: fc.option(fc.double()),
    jitterMs: fc.double(),
    roundTripMs: fc.option(fc.double()),
    packetsReceived: fc.nat(100),
    spokenLevel: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    heardLevel: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    warnings: fc.constant([]),
  })
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 20 }), samples => {
      const report = reportOf(samples.reduce(measure, noMeasures))
      expect(callQuality.body.safeParse(report).success).toBe(true)
      expect(report.heardSeconds).toBeLessThanOrEqual(report.seconds)
    }),
    { seed: 5, numRuns: 200 },
  )
})
