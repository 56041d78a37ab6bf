import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Metered, pushLeadMs, shownBalanceMicroUsd } from './balance.ts'

const call: Metered = { rateMicroUsd: 20_000, fromMs: 10_000, untilMs: null }
const before = { microUsd: 1_000_000, atMs: 0 }

describe('the balance shown during a call', () => {
  test('is what the server last sent, when no minute has begun since', () => {
    expect(shownBalanceMicroUsd(before, null, 999_999)).toBe(1_000_000)
    expect(shownBalanceMicroUsd(before, call, 9999)).toBe(1_000_000)
    expect(shownBalanceMicroUsd({ microUsd: 980_000, atMs: 10_050 }, call, 69_000)).toBe(980_000)
  })

  test('loses the rate with each minute that begins while the server is silent', () => {
    expect(shownBalanceMicroUsd(before, call, 10_000)).toBe(980_000)
    expect(shownBalanceMicroUsd(before, call, 69_999)).toBe(980_000)
    expect(shownBalanceMicroUsd(before, call, 70_000)).toBe(960_000)
    expect(shownBalanceMicroUsd({ microUsd: 980_000, atMs: 10_050 }, call, 130_000)).toBe(940_000)
  })

  test('does not charge a minute twice when its push overtakes it by a moment', () => {
    expect(shownBalanceMicroUsd({ microUsd: 960_000, atMs: 69_800 }, call, 71_000)).toBe(960_000)
  })

  test('stops falling when the call is over', () => {
    expect(shownBalanceMicroUsd(before, { ...call, untilMs: 20_000 }, 500_000)).toBe(980_000)
  })

  test('keeps what is too little for another minute: the call ends there, and it is not charged', () => {
    expect(shownBalanceMicroUsd({ microUsd: 10_000, atMs: 0 }, call, 70_000)).toBe(10_000)
    expect(shownBalanceMicroUsd({ microUsd: 30_000, atMs: 0 }, call, 70_000)).toBe(10_000)
  })

  test('is the last push less the minutes begun since, as far as it covers them', () => {
    const ms = fc.integer({ min: 0, max: 1_000_000 })
    fc.assert(
      fc.property(
        fc.nat(50_000_000),
        ms,
        ms,
        ms,
        fc.nat(4_000_000),
        (microUsd, atMs, fromMs, laterMs, rate) => {
          const nowMs = atMs + laterMs
          let owed = 0
          for (let startMs = fromMs; startMs <= nowMs; startMs += 60_000) {
            if (atMs < fromMs || startMs > atMs + pushLeadMs) owed += rate
          }
          const metered = { rateMicroUsd: rate, fromMs, untilMs: null }
          const left = owed <= microUsd ? microUsd - owed : microUsd % rate
          expect(shownBalanceMicroUsd({ microUsd, atMs }, metered, nowMs)).toBe(left)
        },
      ),
      { seed: 22, numRuns: 1000 },
    )
  })
})
