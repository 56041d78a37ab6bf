import { describe, expect, it } from 'vitest'
import {
  bonusCredits,
  creditsForUsd,
  estimatedMinutes,
  estimatedMinutesPerUsd,
  estimateRateMicroUsd,
} from './credits.ts'
import { microUsdPerUsd } from './money.ts'

describe('credits for a payment', () => {
  it.each([
    [5, 5],
    [10, 10],
    [25, 25],
    [49, 49],
    [50, 52],
    [60, 63],
    [99, 103],
    [100, 110],
    [110, 121],
    [4000, 4400],
  ])('$%i buys %i credits', (usd, credits) => {
    expect(creditsForUsd(usd)).toBe(credits)
    expect(bonusCredits(usd)).toBe(credits - usd)
  })

  it('never rounds up, and never gives less for more', () => {
    for (let usd = 1; usd <= 4000; usd += 1) {
      expect(creditsForUsd(usd)).toBeLessThanOrEqual(usd * 1.1 + 1e-9)
      expect(creditsForUsd(usd)).toBeGreaterThan(creditsForUsd(usd - 1))
    }
  })

  it.each([-1, 5.5, Number.NaN, Number.POSITIVE_INFINITY])('rejects %d, which is no payment', usd => {
    expect(() => creditsForUsd(usd)).toThrow(RangeError)
    expect(() => bonusCredits(usd)).toThrow(RangeError)
  })
})

describe('estimated minutes', () => {
  it('are 50 for each credit', () => {
    expect(estimatedMinutes(5)).toBe(250)
    expect(estimatedMinutes(25)).toBe(1250)
    expect(estimatedMinutes(50)).toBe(2500)
    expect(estimatedMinutes(bonusCredits(50))).toBe(100)
  })

  it('are floored', () => {
    expect(estimatedMinutes(0.999)).toBe(49)
    expect(estimatedMinutes(0)).toBe(0)
  })

  it('hold at the rate that stands beside them', () => {
    expect(estimatedMinutesPerUsd * estimateRateMicroUsd).toBe(microUsdPerUsd)
  })
})
