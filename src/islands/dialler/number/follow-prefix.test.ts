import { beforeEach, expect, test } from 'vitest'
import { type Country, countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { localStore } from '#session/storage.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import {
  $dial,
  chooseCountry,
  countryKey,
  deleteLast,
  enterNumber,
  enterWritten,
  followNumber,
  pressKey,
  setNumber,
} from './dial.ts'
import { followPrefix } from './follow-prefix.ts'

followNumber()
followPrefix()
await loadPhoneRules()

beforeEach(() => {
  setNumber('')
  chooseCountry(defaultCountry)
})

const shown = () => $dial.get().country.isoCode
const country = (isoCode: string): Country => countryOfIso(isoCode) ?? defaultCountry
const type = (text: string) => {
  for (const key of text) pressKey(key)
}

test.each([
  ['+91', 'IN'],
  ['0091', 'IN'],
  ['+44', 'GB'],
  ['+7', 'RU'],
  ['+77', 'KZ'],
  ['+7495', 'RU'],
  ['+1876', 'JM'],
  ['+9', 'FR'],
  ['00', 'FR'],
  ['0612345678', 'FR'],
  ['+999', 'FR'],
])(
  '%s, with France chosen, shows %s at its last digit, and France again once it is cleared',
  (typed, isoCode) => {
    chooseCountry(country('FR'))
    type(typed)
    expect(shown()).toBe(isoCode)
    for (let left = typed.length; left > 0; left -= 1) deleteLast()
    expect(shown()).toBe('FR')
  },
)

test('a country that shares the code stays', () => {
  for (const [isoCode, typed] of [
    ['JE', '+44'],
    ['CA', '+1'],
    ['KZ', '+7'],
  ] as const) {
    setNumber('')
    chooseCountry(country(isoCode))
    type(typed)
    expect(shown()).toBe(isoCode)
  }
})

test('the complete number decides where countries share a code', () => {
  type('+14165550123')
  expect(shown()).toBe('CA')
  setNumber('+447797123456')
  expect(shown()).toBe('JE')
  setNumber('')
  expect(shown()).toBe('US')
})

test('so it does without a prefix, and an incomplete number gives the chosen country back', () => {
  chooseCountry(country('US'))
  type('8765550133')
  expect(shown()).toBe('JM')
  deleteLast()
  expect(shown()).toBe('US')
  type('3')
  expect(shown()).toBe('JM')
})

test('a pasted number is as if typed', () => {
  enterWritten('Call +44 20 7946 0958, please')
  expect(shown()).toBe('GB')
  setNumber('')
  expect(shown()).toBe('US')
})

test('what is chosen while a prefix stands stays, and after it', () => {
  type('+4420')
  chooseCountry(country('DE'))
  type('79')
  expect(shown()).toBe('DE')
  setNumber('')
  expect(shown()).toBe('DE')
})

test('the next visit begins with what was chosen, not with what a prefix showed', () => {
  chooseCountry(country('DE'))
  expect(localStore.read(countryKey)).toBe('de')
  type('+91')
  expect(localStore.read(countryKey)).toBe('de')
})

test('a number that is entered with its country is no choice: without it the country before is back', () => {
  chooseCountry(country('DE'))
  enterNumber(country('IN'), '+919876543210', ',,12')
  expect(shown()).toBe('IN')
  expect(localStore.read(countryKey)).toBe('de')
  enterNumber(country('CA'), '+14165550123')
  expect(shown()).toBe('CA')
  setNumber('')
  expect(shown()).toBe('DE')
})
