import { expect, test } from 'vitest'
import { parseNumber } from '#lib/numbers/phone.ts'
import { talkedText, textsOf } from './person-texts.ts'

const mum = {
  id: 'c1',
  name: 'Mum',
  phone_number: '+919876543210',
  dial_code: '+91',
  iso_code: 'IN',
  favourite: true,
}
/** 23:14 in India. */
const now = new Date('2026-11-24T17:44:00Z')
const verdict = parseNumber(mum.phone_number, { isoCode: 'IN', dialCode: '+91' })

test('a stamp says who, where and when', () => {
  const yesterday = new Date(now.getTime() - 86_400_000)
  const { label, sleep } = textsOf({ contact: mum, lastTalked: yesterday }, verdict, now)
  expect(label).toBe('Call Mum, mobile in India, 23:14 there, asleep until 7, talked yesterday')
  expect(sleep).toBe('asleep until 7')
})

test('leaves out what is not known', () => {
  const noon = new Date('2026-11-24T06:30:00Z')
  expect(textsOf({ contact: mum, lastTalked: null }, null, noon).label).toBe(
    'Call Mum, in India, 12:00 there',
  )
})

test.each([
  [0, 'talked today'],
  [1, 'talked yesterday'],
  [3, 'talked on Saturday'],
])('%i days ago: %s', (days, text) => {
  const noon = new Date(2026, 10, 24, 12)
  expect(talkedText(new Date(2026, 10, 24 - days, 9), noon)).toBe(text)
})
