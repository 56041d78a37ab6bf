import { afterEach, expect, test } from 'vitest'
import { clockTime } from '../clock.ts'
import { formatCount } from '../count.ts'
import { formatBalance, formatCharge, formatRate } from '../money/money.ts'
import { dateFormat } from './date-format.ts'
import { isRightToLeft } from './direction.ts'
import { renderIn, sourceLanguage } from './language.ts'
import { listed } from './list-format.ts'

afterEach(() => renderIn(sourceLanguage))

const day = dateFormat({ day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
const at = new Date('2026-11-24T21:05:00Z')

/** CLDR separates and directs with spaces and marks that look like nothing. */
const plain = (text: string) => text.replace(/[\u200e\u200f\u061c\u2066-\u2069]/g, '').replace(/\s/g, ' ')

test.each([
  ['en', '$4,000.00', '$0.0184', '$0.020', '1,250', '24 November 2026'],
  ['es', '4000,00 US$', '0,0184 US$', '0,020 US$', '1250', '24 de noviembre de 2026'],
  ['ar', '4,000.00 US$', '0.0184 US$', '0.020 US$', '1,250', '24 نوفمبر 2026'],
])('money, counts and dates in %s', (language, balance, charge, rate, count, date) => {
  renderIn(language)
  expect([formatBalance(4_000_000_000), formatCharge(18_400), formatRate(20_000)].map(plain)).toEqual([
    balance,
    charge,
    rate,
  ])
  expect(/^\u2066.*\u2069$/.test(formatRate(20_000))).toBe(isRightToLeft(language))
  expect(plain(formatCount(1250))).toBe(count)
  expect(plain(day(at))).toBe(date)
  expect(clockTime(at, 'UTC')).toBe('21:05')
})

test.each([
  ['en', '809, 829 and 849', '+1 or +7'],
  ['es', '809, 829 y 849', '+1 o +7'],
  ['ar', '\u2068809\u2069 و\u2068829\u2069 و\u2068849\u2069', '\u2068+1\u2069 أو \u2068+7\u2069'],
])('lists in %s', (language, all, either) => {
  renderIn(language)
  expect([listed(['809', '829', '849']), listed(['+1', '+7'], 'disjunction')]).toEqual([all, either])
})
