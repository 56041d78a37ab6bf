import { beforeEach, expect, test } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/rules/countries.ts'
import { $dial, chooseCountry, chooseLinkedCountry, enterLinkedNumber, setNumber } from '#stores/dial.ts'

const address = 'http://localhost/call'

beforeEach(() => {
  chooseCountry(defaultCountry)
  setNumber('')
})

function open(query: string) {
  chooseLinkedCountry(address + query)
  enterLinkedNumber(address + query)
  return $dial.get()
}

test('a link enters its number, in the entry of its country that has its code', () => {
  expect(open('?country=in&number=%2B919876543210')).toEqual({
    country: countryOfIso('IN'),
    typed: '+919876543210',
  })
  expect(open('?country=do&number=%2B18295550100').country.dialCode).toBe('+1829')
})

test('an address without a number, or with none in it, leaves the field as it is', () => {
  setNumber('212')
  for (const query of ['', '?number=', '?number=call-me', '?country=in'])
    expect(open(query).typed).toBe('212')
})
