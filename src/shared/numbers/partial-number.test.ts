import fc from 'fast-check'
import { expect, test } from 'vitest'
import { countries, countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { keepDialable } from '#lib/numbers/dialable.ts'
import { formatPartial } from './partial-number.ts'

const of = (isoCode: string) => countryOfIso(isoCode) ?? defaultCountry

test.each([
  ['2025550', 'US', '(202) 555-0'],
  ['02079460', 'GB', '020 7946 0'],
  ['+4420794', 'US', '+44 20 794'],
  ['0612345', 'FR', '06 12 34 5'],
])('%s typed for %s reads %s so far', (typed, isoCode, formatted) => {
  expect(formatPartial(typed, of(isoCode))).toBe(formatted)
})

test.each(['', '+', '+44', '202'])('of %o there is too little to tell', typed => {
  expect(formatPartial(typed, of('US'))).toBeNull()
})

test('it only groups: the digits stay what they are, whatever is typed for whichever country', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^\+?\d{0,20}$/), fc.constantFrom(...countries), (typed, country) => {
      const formatted = formatPartial(typed, country)
      if (formatted !== null) expect(keepDialable(formatted)).toBe(typed)
    }),
    { numRuns: 500 },
  )
})
