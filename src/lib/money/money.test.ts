import { expect, test } from 'vitest'
import { formatBalance, formatCharge, formatRate } from './money.ts'

test.each([
  [0, '$0.00'],
  [999_999_999, '$999.99'],
  [1_000_000_000, '$1,000.00'],
  [4_000_000_000, '$4,000.00'],
  [1_234_567_891_000, '$1,234,567.89'],
])('a balance of %i is rounded down to the cent, thousands apart', (microUsd, text) => {
  expect(formatBalance(microUsd)).toBe(text)
})

test.each([
  [18_400, '$0.0184'],
  [20_000, '$0.02'],
  [123_456, '$0.123456'],
  [1_234_567_891, '$1,234.567891'],
])('a charge of %i is shown exactly, and only its dollars are grouped', (microUsd, text) => {
  expect(formatCharge(microUsd)).toBe(text)
})

test('a rate has 3 decimals', () => {
  expect(formatRate(20_000)).toBe('$0.020')
  expect(formatRate(1_142_500_000)).toBe('$1,142.500')
})
