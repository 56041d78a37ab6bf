import { expect, test } from 'vitest'
import { topUpUsd } from './top-up.ts'

test.each([
  ['an ordinary rate', 20_000, 5],
  ['exactly ten minutes for $5', 500_000, 5],
  ['a little more than that', 500_001, 6],
  ['the highest rate that we sell', 3_500_000, 35],
  ['an unknown rate', null, 5],
])('a top-up for a call at %s', (_, rateMicroUsd, usd) => {
  expect(topUpUsd(rateMicroUsd)).toBe(usd)
})
