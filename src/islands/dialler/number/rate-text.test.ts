import { expect, test } from 'vitest'
import type { Rate } from './rate.ts'
import { isNewcomer, rateText } from './rate-text.ts'

const known = {
  kind: 'known',
  number: '+12125550100',
  microUsdPerMinute: 20_000,
  surchargeMicroUsd: 0,
  freeMinutes: 5,
  rateKind: 'mobile',
} as const
const estimate = { kind: 'estimate', number: '+12125550100', microUsdPerMinute: 50_000 } as const

function shown(rate: Rate, newcomer: boolean) {
  const [price, ...rest] = rateText(rate, newcomer, text => text) ?? []
  return price === undefined ? null : [price, rest.join('')]
}

test('shows a price with three decimals, and tells a newcomer how long the first call is free', () => {
  expect(shown(known, false)).toEqual(['$0.020', ' per minute'])
  expect(shown(known, true)).toEqual(['$0.020', ' per minute, first 5 min free'])
  expect(shown({ ...known, freeMinutes: 0 }, true)?.[1]).toBe(' per minute, no free call there')
})

test('an estimate says so and promises nothing', () => {
  expect(shown(estimate, true)).toEqual(['$0.050', ' per minute (estimate)'])
})

test('no price is shown while there is none for this number', () => {
  expect(shown({ kind: 'none' }, true)).toBeNull()
  expect(shown({ kind: 'pending' }, true)).toBeNull()
  expect(shown({ kind: 'unsupported', number: '+12' }, true)).toBeNull()
})

test('a free first call is promised only where it is known to be free', () => {
  expect(isNewcomer('signed_out', false)).toBe(true)
  expect(isNewcomer('signed_in', true)).toBe(true)
  expect(isNewcomer('signed_in', false)).toBe(false)
  expect(isNewcomer('loading', false)).toBe(false)
})
