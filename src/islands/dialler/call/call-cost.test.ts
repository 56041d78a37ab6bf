import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { callCostMicroUsd } from '#lib/money/pricing.ts'
import { type CallTerms, costSoFarMicroUsd, costText, timeLeftMs, timeLeftText } from './call-cost.ts'

const terms: CallTerms = {
  rateMicroUsd: 24_000,
  talkedMs: 0,
  balanceMicroUsd: 12_288_000,
  limitMinutes: null,
  toppedUp: false,
}
const left = (more: Partial<CallTerms>) => {
  const ms = timeLeftMs({ ...terms, ...more })
  return ms === null ? null : timeLeftText(ms)
}

describe('what a call has cost so far', () => {
  test('is a whole minute from the answer on, and the next one from its first moment', () => {
    expect(costText({ ...terms, rateMicroUsd: 25_000 })).toBe('$0.025 so far')
    expect(costText({ ...terms, rateMicroUsd: 25_000, talkedMs: 59_999 })).toBe('$0.025 so far')
    expect(costText({ ...terms, rateMicroUsd: 25_000, talkedMs: 60_000 })).toBe('$0.05 so far')
  })

  test('is nothing where the call is free', () => {
    expect(costText({ ...terms, rateMicroUsd: 0, talkedMs: 200_000 })).toBe('Free')
  })

  test('is what the server will charge, should the call end now', () => {
    fc.assert(
      fc.property(fc.nat(4 * 3_600_000), fc.nat(1_000_000), (talkedMs, rate) => {
        // At the very turn of a minute the next one has begun here, and costs nothing yet there.
        fc.pre(talkedMs % 60_000 !== 0)
        expect(costSoFarMicroUsd(talkedMs, rate)).toBe(callCostMicroUsd(talkedMs, rate))
      }),
      { seed: 3 },
    )
  })
})

describe('how long the call may last', () => {
  test('is what the balance pays for beside the minute that is paid', () => {
    expect(left({})).toBe('About 513 min left')
    expect(left({ talkedMs: 45_000 })).toBe('About 512 min left')
    expect(left({ balanceMicroUsd: 0, talkedMs: 20_000 })).toBe('About 1 min left')
    expect(left({ balanceMicroUsd: 0, talkedMs: 40_000 })).toBe('Less than 1 min left')
  })

  test("does not exceed the network's limit", () => {
    expect(left({ limitMinutes: 60 })).toBe('About 60 min left')
    expect(left({ limitMinutes: 60, talkedMs: 600_000 })).toBe('About 50 min left')
    expect(left({ limitMinutes: 5, talkedMs: 400_000 })).toBe('Less than 1 min left')
  })

  test('is the network’s limit alone where the call is free, or credit is bought meanwhile', () => {
    expect(left({ rateMicroUsd: 0, balanceMicroUsd: 0, limitMinutes: 5 })).toBe('About 5 min left')
    expect(left({ toppedUp: true, balanceMicroUsd: 0, limitMinutes: 240 })).toBe('About 240 min left')
    expect(left({ toppedUp: true })).toBeNull()
  })

  test('is not said while it is not known', () => {
    expect(left({ balanceMicroUsd: null })).toBeNull()
    expect(left({ rateMicroUsd: 0 })).toBeNull()
  })

  test('never counts up while nothing is paid in', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 500_000 }),
        fc.nat(20_000_000),
        fc.nat(600),
        (rate, start, seconds) => {
          const at = (talkedMs: number) =>
            timeLeftMs({
              ...terms,
              rateMicroUsd: rate,
              talkedMs,
              balanceMicroUsd: Math.max(0, start - costSoFarMicroUsd(talkedMs, rate)),
            }) ?? 0
          expect(at(seconds * 1000 + 1000)).toBeLessThanOrEqual(Math.max(60_000, at(seconds * 1000)))
        },
      ),
      { seed: 4 },
    )
  })
})
