import { expect, test } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { parseNumber } from '#lib/numbers/phone.ts'
import { rejectionOf } from './rejection.ts'

const rejection = (typed: string, isoCode = 'US', state: Partial<Parameters<typeof rejectionOf>[2]> = {}) =>
  rejectionOf(typed, parseNumber(typed, countryOfIso(isoCode) ?? defaultCountry), {
    unsold: false,
    fault: null,
    ...state,
  })

test.each([
  ['911', 'US', '911'],
  ['+44999', 'US', '999'],
  ['0044999', 'FR', '999'],
  ['17', 'FR', '17'],
])('%s, with %s chosen, is for a telephone: %s', (typed, isoCode, phone) => {
  expect(rejection(typed, isoCode)).toEqual({
    kind: 'emergency',
    text: 'Farline does not support calling emergency services. Please use another phone.',
    phone,
  })
})

test.each([
  ['9002345678', 'US', "We don't call premium-rate numbers."],
  ['+449098790123', 'US', "We don't call premium-rate numbers."],
  ['+999123456789', 'US', 'This destination is currently not supported.'],
  ['+8816', 'US', 'This destination is currently not supported.'],
])('%s, with %s chosen, is refused: %s', (typed, isoCode, text) => {
  expect(rejection(typed, isoCode)).toEqual({ kind: 'refused', text })
})

test('a complete number without a rate is refused', () => {
  expect(rejection('2125550100', 'US', { unsold: true })).toEqual({
    kind: 'refused',
    text: 'This destination is currently not supported.',
  })
})

test('a number of no plan is refused once that is certain, an unfinished one never', () => {
  expect(rejection('5550000000', 'IN')).toBeNull()
  expect(rejection('5550000000', 'IN', { fault: 'Not a number in India' })).toEqual({
    kind: 'impossible',
    text: 'Not a number in India',
  })
  for (const typed of ['', '2', '212555', '2125550100']) expect(rejection(typed, 'US')).toBeNull()
})
