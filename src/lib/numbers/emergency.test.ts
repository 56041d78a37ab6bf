import { describe, expect, test } from 'vitest'
import { company } from '../company.ts'
import { countriesByIso, countryOfIso, defaultCountry } from './countries.ts'
import { emergencyMessage, emergencyNumberIn, emergencyNumbers, isEmergencyNumber } from './emergency.ts'
import { parseNumber } from './phone.ts'

describe('the emergency numbers', () => {
  test('are known for every country of the list, and for no other', () => {
    expect(new Set(Object.keys(emergencyNumbers))).toStrictEqual(new Set(countriesByIso.keys()))
    for (const numbers of Object.values(emergencyNumbers)) {
      expect(numbers.length).toBeGreaterThan(0)
      for (const number of numbers) expect(number).toMatch(/^\d{2,5}$/)
      expect(new Set(numbers).size).toBe(numbers.length)
    }
  })

  test('are those that SPEC-3.13 names', () => {
    expect(emergencyNumbers).toMatchObject({ US: ['911'], GB: ['999', '112'], AU: ['000', '112'] })
  })

  test('hold 112 all over the European Union', () => {
    const union = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'
    for (const isoCode of union.split(' ')) expect(emergencyNumbers[isoCode], isoCode).toContain('112')
  })

  test.each([
    ['IN', '112'],
    ['IN', '108'],
    ['BR', '190'],
    ['MX', '911'],
    ['FR', '15'],
    ['DE', '110'],
    ['JP', '119'],
    ['CN', '120'],
    ['NZ', '111'],
    ['ZA', '10111'],
    ['PK', '1122'],
    ['NG', '199'],
    ['PH', '911'],
    ['KE', '999'],
    ['CM', '118'],
    ['FJ', '910'],
  ])('%s has %s', (isoCode, number) => {
    expect(isEmergencyNumber(isoCode, number)).toBe(true)
  })
})

describe('a call for help', () => {
  test('is seen with the dial code before it', () => {
    expect(isEmergencyNumber('GB', '+44999')).toBe(true)
    expect(isEmergencyNumber('US', '+1911')).toBe(true)
    expect(isEmergencyNumber('JM', '+1876119')).toBe(true)
    expect(isEmergencyNumber('US', '+44999')).toBe(false)
  })

  test('is seen whichever country is chosen, for the two numbers that all answer', () => {
    for (const isoCode of countriesByIso.keys()) {
      expect(isEmergencyNumber(isoCode, '112')).toBe(true)
      expect(isEmergencyNumber(isoCode, '911')).toBe(true)
    }
    expect(isEmergencyNumber('US', '999')).toBe(false)
  })

  test('is not every number that starts with one', () => {
    expect(isEmergencyNumber('US', '9115550100')).toBe(false)
    expect(isEmergencyNumber('GB', '99')).toBe(false)
    expect(isEmergencyNumber('FR', '155')).toBe(false)
  })

  test('comes before any other finding of the phone rules', () => {
    const britain = countryOfIso('GB') ?? defaultCountry
    for (const text of ['999', '9-9-9', '９９９', '112', '+44 999', '0044 999'])
      expect(parseNumber(text, britain).kind, text).toBe('emergency')
    expect(parseNumber('+44999', defaultCountry).kind).toBe('emergency')
    expect(parseNumber('011 44 999', defaultCountry).kind).toBe('emergency')
    expect(parseNumber('000', countryOfIso('AU') ?? defaultCountry).kind).toBe('emergency')
    expect(parseNumber('15', countryOfIso('FR') ?? defaultCountry).kind).toBe('emergency')
  })

  test('is answered with what the product cannot do, and what to do instead', () => {
    expect(emergencyMessage()).toBe(
      `${company.name} does not support calling emergency services. Please use another phone.`,
    )
  })
})

test.each([
  ['911', '911'],
  ['+112', '112'],
  ['+44999', '999'],
  ['0044999', '999'],
  ['000', '000'],
])('%s is dialled on another telephone as %s', (typed, number) => {
  expect(emergencyNumberIn(typed)).toBe(number)
})
