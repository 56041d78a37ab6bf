import { beforeEach, expect, test } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { $dial, chooseCountry, chooseLinkedCountry, setNumber } from './dial.ts'

const address = 'https://farline.example/call'

beforeEach(() => {
  chooseCountry(defaultCountry)
  setNumber('')
})

test.each([
  ['in', 'IN'],
  ['IN', 'IN'],
  ['do', 'DO'],
])('a link to the dialler with %s chooses that country', (country, isoCode) => {
  chooseLinkedCountry(`${address}?country=${country}`)
  expect($dial.get().country).toEqual(countryOfIso(isoCode))
})

test.each([
  '',
  '?country=',
  '?country=xx',
  '?country=India',
  '?country=%00',
  '?number=5',
  '?country=__proto__',
])('the United States stays chosen with %j', query => {
  chooseLinkedCountry(address + query)
  expect($dial.get()).toEqual({ country: defaultCountry, typed: '' })
})

test('a number that is typed stays', () => {
  setNumber('98765')
  chooseLinkedCountry(`${address}?country=in`)
  expect($dial.get()).toMatchObject({ typed: '98765', country: { isoCode: 'IN' } })
})
