import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Grade,
  type LineSample,
  type LineWatch,
  lineAdvice,
  newWatch,
  qualityLabel,
  watchAfresh,
  watchLine,
} from './quality.ts'

const clear: LineSample = {
  mos: 4.4,
  lossPercent: 0,
  sentLossPercent: 0,
  jitterMs: 3,
  roundTripMs: 60,
  packetsReceived: 50,
  spokenLevel: 0.01,
  heardLevel: 0.01,
  warnings: [],
}
const nothing = { ...clear, packetsReceived: 0, heardLevel: 0 }
const observe = (watch: LineWatch, sample: LineSample, seconds: number, muted = false): LineWatch =>
  Array.from({ length: seconds }).reduce<LineWatch>(before => watchLine(before, sample, muted), watch)
const settle = (sample: LineSample, seconds = 30) => observe(newWatch, sample, seconds).quality
const label = (sample: LineSample) => qualityLabel(settle(sample))

describe('a line as text', () => {
  test('is not judged in its first two seconds', () => {
    expect(qualityLabel(settle(clear, 2))).toBeNull()
    expect(qualityLabel(settle(clear, 3))).toBe('Good connection')
  })

  test.each([
    ['loss', { lossPercent: 2.9 }, { lossPercent: 3 }, { lossPercent: 10 }],
    ['sent_loss', { sentLossPercent: 2.9 }, { sentLossPercent: 3 }, { sentLossPercent: 10 }],
    ['jitter', { jitterMs: 29 }, { jitterMs: 30 }, { jitterMs: 60 }],
    ['round_trip', { roundTripMs: 399 }, { roundTripMs: 400 }, { roundTripMs: 800 }],
  ])('is good, weak and poor by its %s, which is what the matter is', (fault, good, weak, poor) => {
    expect(settle({ ...clear, ...good })).toMatchObject({ grade: 'good', fault: null })
    expect(settle({ ...clear, ...weak })).toMatchObject({ grade: 'weak', fault })
    expect(settle({ ...clear, ...poor })).toMatchObject({ grade: 'poor', fault })
    expect(lineAdvice(settle({ ...clear, ...weak }))).toBeNull()
    expect(lineAdvice(settle({ ...clear, ...poor }))?.length).toBeLessThanOrEqual(40)
  })

  test('is poor on the way out where that is the worse way, and goes by what arrives where nothing is reported', () => {
    const both = { ...clear, lossPercent: 20, sentLossPercent: 50 }
    expect(settle(both).fault).toBe('loss')
    expect(settle({ ...both, lossPercent: 5 })).toMatchObject({ grade: 'poor', fault: 'sent_loss' })
    expect(lineAdvice(settle({ ...both, lossPercent: 0 }))).toBe('They hear gaps. Move nearer the router.')
    expect(settle({ ...clear, sentLossPercent: null })).toMatchObject({ grade: 'good', fault: null })
    expect(settle({ ...both, sentLossPercent: null })).toMatchObject({ grade: 'poor', fault: 'loss' })
  })

  test('is as good as its score allows, and no better than the voice client warns', () => {
    expect(label({ ...clear, mos: 3.5 })).toBe('Weak connection')
    expect(label({ ...clear, mos: 3 })).toBe('Poor connection')
    expect(label({ ...clear, mos: null, roundTripMs: null })).toBe('Good connection')
    expect(label({ ...clear, warnings: ['score'] })).toBe('Weak connection')
    expect(settle({ ...clear, warnings: ['jitter'] })).toMatchObject({ grade: 'weak', fault: 'jitter' })
  })

  test('says when nothing arrives, and falls at the third such second', () => {
    const good = observe(newWatch, clear, 10)
    expect(observe(good, nothing, 2).quality.grade).toBe('good')
    expect(qualityLabel(observe(good, nothing, 4).quality)).toBe('No sound arrives')
  })

  test('falls after three bad seconds and rises after five good ones beyond the window, not before', () => {
    const bad = { ...clear, jitterMs: 200 }
    const good = observe(newWatch, clear, 10)
    expect(observe(good, bad, 2).quality.grade).toBe('good')
    const poor = observe(good, bad, 10)
    expect(poor.quality.grade).toBe('poor')
    expect(observe(poor, clear, 4).quality.grade).toBe('poor')
    expect(observe(poor, clear, 12).quality).toMatchObject({ grade: 'good', fault: null })
  })

  test('keeps its text while a restored path is judged again', () => {
    const silent = observe(observe(newWatch, clear, 10), nothing, 10)
    const mended = watchAfresh(silent)
    expect(qualityLabel(mended.quality)).toBe('No sound arrives')
    expect(qualityLabel(observe(mended, clear, 7).quality)).toBe('Good connection')
  })
})

describe('a microphone that gives nothing', () => {
  const dumb = { ...clear, spokenLevel: 0 }
  const isSilent = (watch: LineWatch) => watch.quality.microphoneSilent

  test('is reported after ten seconds, and only as long as it is silent', () => {
    expect(isSilent(observe(newWatch, dumb, 9))).toBe(false)
    const silent = observe(newWatch, dumb, 10)
    expect(isSilent(silent)).toBe(true)
    expect(isSilent(observe(silent, clear, 1))).toBe(false)
  })

  test('is reported later if it has worked: it may filter what is no speech', () => {
    const worked = observe(newWatch, clear, 1)
    expect(isSilent(observe(worked, dumb, 29))).toBe(false)
    expect(observe(worked, dumb, 30).quality).toMatchObject({
      microphoneSilent: true,
      microphoneWorked: true,
    })
  })

  test('is not reported for a muted user, a quiet listener, or an unknown state', () => {
    expect(isSilent(observe(newWatch, dumb, 60, true))).toBe(false)
    expect(isSilent(observe(observe(newWatch, dumb, 10), dumb, 1, true))).toBe(false)
    expect(isSilent(observe(newWatch, { ...clear, spokenLevel: 1e-5 }, 60))).toBe(false)
    expect(isSilent(observe(newWatch, { ...clear, spokenLevel: null }, 60))).toBe(false)
  })
})

describe('whatever is measured', () => {
  const sample: fc.Arbitrary<LineSample> = fc.record({
    mos: fc.option(fc.double({ min: 1, max: 4.5, noNaN: true })),
    lossPercent: fc.double({ min: 0, max: 100, noNaN: true }),
    sentLossPercent: fc.option(fc.double({ min: 0, max: 100, noNaN: true })),
    jitterMs: fc.double({ min: 0, max: 500, noNaN: true }),
    roundTripMs: fc.option(fc.double({ min: 0, max: 3000, noNaN: true })),
    packetsReceived: fc.nat(100),
    spokenLevel: fc.option(fc.constantFrom(0, 0.01)),
    heardLevel: fc.option(fc.constantFrom(0, 0.01)),
    warnings: fc.subarray(['score', 'loss', 'jitter', 'round_trip'] as const),
  })
  const rank: Readonly<Record<Grade, number>> = { poor: 0, weak: 1, good: 2 }

  test('a text stays for at least three seconds, and a fault goes with every line that is reported as bad by one', () => {
    fc.assert(
      fc.property(fc.array(sample, { maxLength: 60 }), samples => {
        let watch = newWatch
        let since = 0
        for (const next of samples) {
          const before = watch.quality.grade
          watch = watchLine(watch, next, false)
          since += 1
          const { grade, fault } = watch.quality
          if (grade !== before && before !== null) {
            expect(since).toBeGreaterThanOrEqual(3)
            since = 0
          }
          if (grade === 'good') expect(fault).toBeNull()
        }
        expect(watch.samples.length).toBeLessThanOrEqual(5)
      }),
      { seed: 7, numRuns: 300 },
    )
  })

  test('a line that stays as it is ends at one grade, and a worse one never at a better grade', () => {
    fc.assert(
      fc.property(sample, fc.array(sample, { maxLength: 10 }), (constant, before) => {
        const started = before.reduce<LineWatch>((watch, next) => watchLine(watch, next, false), newWatch)
        const settled = observe(started, constant, 20).quality
        expect(observe(started, constant, 40).quality.grade).toBe(settled.grade)
        const worse = { ...constant, lossPercent: Math.min(100, constant.lossPercent + 5), mos: null }
        const same = { ...constant, mos: null }
        expect(rank[settle(worse).grade ?? 'good']).toBeLessThanOrEqual(rank[settle(same).grade ?? 'good'])
      }),
      { seed: 8, numRuns: 300 },
    )
  })
})
