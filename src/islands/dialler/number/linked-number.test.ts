import { beforeEach, expect, test, vi } from 'vitest'
import { countryOfIso, defaultCountry } from '#lib/numbers/countries.ts'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import {
  $dial,
  $extension,
  chooseCountry,
  chooseLinkedCountry,
  deleteLast,
  editNumber,
  enterLinkedNumber,
  enterWritten,
  followNumber,
  pasteNumber,
  setExtension,
  setNumber,
} from './dial.ts'
import { followPrefix } from './follow-prefix.ts'

followNumber()
followPrefix()

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
  const entered = { country: countryOfIso('IN'), typed: '+919876543210' }
  expect(open('?country=in#number=%2B919876543210')).toEqual(entered)
  setNumber('')
  expect(open('?country=in&number=%2B919876543210')).toEqual(entered)
  expect(open('?country=do&number=%2B18295550100').country.dialCode).toBe('+1829')
})

test.each([
  ['?number=+6562345678', '+6562345678', 'SG'],
  ['?country=us&number=+65+6234+5678', '+6562345678', 'SG'],
  ['?number=tel:+44-20-7946-0958', '+442079460958', 'GB'],
  ['?number=tel%3A+442079460958', '+442079460958', 'GB'],
  ['?number=%206562345678', '6562345678', 'US'],
  ['#number=tel:+44-20-7946-0958', '+442079460958', 'GB'],
])('%s keeps a plus that was not escaped', async (query, typed, isoCode) => {
  expect(open(query).typed).toBe(typed)
  await loadPhoneRules()
  await vi.waitFor(() => expect($dial.get()).toEqual({ country: countryOfIso(isoCode), typed }))
})

test('an address without a number, or with none in it, leaves the field as it is', () => {
  setNumber('212')
  for (const query of ['', '?number=', '?number=call-me', '?country=in', '#number='])
    expect(open(query).typed).toBe('212')
})

test('enters a link in another form as well as possible, and reads it once the numbering plans are there', async () => {
  expect(open(`?number=${encodeURIComponent('tel:+44-20-7946-0958;ext=12')}`).typed).toBe('+442079460958')
  await loadPhoneRules()
  await vi.waitFor(() => expect($extension.get()).toBe(',12'))
  expect($dial.get()).toEqual({ country: countryOfIso('GB'), typed: '+442079460958' })
})

test('a link that is read late does not replace a number typed meanwhile', async () => {
  vi.resetModules()
  const dial = await import('./dial.ts')
  dial.enterLinkedNumber(`${address}?number=00442079460958`)
  dial.setNumber('2125550100')
  const rules = await import('#shared/numbers/phone-rules.ts')
  await rules.loadPhoneRules()
  expect(dial.$dial.get()).toMatchObject({ typed: '2125550100', country: { isoCode: 'US' } })
})

test('what is played stays while the number is edited, and goes with it', async () => {
  await loadPhoneRules()
  enterWritten('+44 20 7946 0958,,123#')
  editNumber('+44207946095')
  expect($extension.get()).toBe(',,123#')
  setNumber('+442079460959')
  expect($extension.get()).toBe('')
  setExtension(',1')
  for (let left = $dial.get().typed.length; left > 0; left -= 1) deleteLast()
  expect([$dial.get().typed, $extension.get()]).toEqual(['', ''])
  setExtension(',1')
  expect($extension.get()).toBe('')
})

test('a pasted whole number replaces the number, even when pasted beside it', async () => {
  await loadPhoneRules()
  setNumber('212')
  expect(pasteNumber('5550100', false)).toBe(false)
  expect($dial.get().typed).toBe('212')
  expect(pasteNumber('+44 20 7946 0958', false)).toBe(true)
  expect($dial.get().typed).toBe('+442079460958')
  chooseCountry(defaultCountry)
  setNumber('+44')
  for (const text of ['2079460958', '020 7946 0958']) expect(pasteNumber(text, false)).toBe(false)
  expect($dial.get().typed).toBe('+44')
  expect(pasteNumber('011 44 20 7946 0958', false)).toBe(true)
  expect($dial.get().typed).toBe('+442079460958')
  expect(pasteNumber('555', true)).toBe(true)
  expect($dial.get().typed).toBe('555')
  expect(pasteNumber('nothing to call', true)).toBe(true)
  expect($dial.get().typed).toBe('555')
})

test('a number typed with its plus shows its country; one chosen afterwards stays', async () => {
  await loadPhoneRules()
  for (const [typed, isoCode] of [
    ['+4420794609', 'GB'],
    ['+442079460958', 'GB'],
    ['+77710009998', 'KZ'],
    ['+79123456789', 'RU'],
    ['+14165550123', 'CA'],
    ['+390669812345', 'IT'],
  ] as const) {
    setNumber(typed)
    expect($dial.get().country.isoCode, typed).toBe(isoCode)
  }
  chooseCountry(defaultCountry)
  expect($dial.get().country).toBe(defaultCountry)
  setNumber('02079460958')
  expect($dial.get().country).toBe(defaultCountry)
})
