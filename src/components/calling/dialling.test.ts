import { describe, expect, test } from 'vitest'
import { type Country, countries, countriesByIso } from '#lib/numbers/countries.ts'
import { parseNumber } from '#lib/numbers/phone.ts'
import { diallingOf } from './dialling.ts'

/** Each example as the page splits it; what is left out when dialling from abroad is in brackets. */
const examplesOf = (isoCode: string) =>
  diallingOf(isoCode).examples.map(({ parts }) =>
    parts.map(({ kind, digits }) => (kind === 'omit' ? `[${digits}]` : digits)).join(' '),
  )

describe('how numbers are dialled from abroad', () => {
  test.each([
    ['IN', ['+91 98765 43210', '+91 [0] 22 2123 4567']],
    ['GB', ['+44 [0] 7700 900123', '+44 [0] 20 7946 0123']],
    ['DE', ['+49 [0] 171 3920012', '+49 [0] 30 23125123']],
    ['FR', ['+33 [0] 6 39 98 01 23', '+33 [0] 1 23 45 67 89']],
    ['IT', ['+39 312 345 6789', '+39 02 1234 5678']],
    ['RU', ['+7 [8] 912 345 67 89', '+7 [8] 495 123 45 67']],
    ['KZ', ['+7 [8] 701 123 4567', '+7 [8] 7172 12 34 56']],
    ['HU', ['+36 [06] 20 123 4567', '+36 [06] 1 234 5678']],
    ['BY', ['+375 [80] 29 123 45 67', '+375 [80] 17 212 34 56']],
    ['MX', ['+52 55 1234 5678']],
    ['AR', ['+54 9 [0] 11 [15] 2345 6789', '+54 [0] 11 2345 6789']],
    ['BR', ['+55 11 96123 4567', '+55 11 2345 6789']],
    ['CI', ['+225 01 23 45 6789', '+225 21 23 4 56789']],
    ['BJ', ['+229 01 95 12 34 56', '+229 01 20 21 12 34']],
    ['DK', ['+45 34 41 23 45', '+45 32 12 34 56']],
    ['US', ['+1 212 555 0123']],
    ['CA', ['+1 416 555 0123']],
    ['DO', ['+1 809 555 0123']],
    ['PR', ['+1 787 555 0123']],
    ['XK', ['+383 [0] 43 201 234', '+383 [0] 28 012 345']],
  ])('%s', (isoCode, examples) => {
    expect(examplesOf(isoCode)).toEqual(examples)
  })

  test('an area code is named only where the first digits are one', () => {
    const labels = (isoCode: string) =>
      diallingOf(isoCode).examples.map(({ parts }) => parts.map(({ label }) => label))
    expect(labels('GB')[1]).toContain('area code')
    expect(labels('GB')[0]).not.toContain('area code')
    for (const isoCode of ['KZ', 'RU', 'SL']) expect(labels(isoCode)[0], isoCode).toContain('network code')
    const without = 'AL CD DK DZ GH LK LR LT MA MG NG PL RE SD SL UG'
    for (const isoCode of without.split(' '))
      expect(labels(isoCode).flat(), isoCode).not.toContain('area code')
  })

  test('what is said fits the plan', () => {
    expect(diallingOf('IT').advice).toContain('keep their 0')
    expect(diallingOf('HU').advice).toContain('leave out both digits')
    expect(diallingOf('AR').advice).toContain('put a 9 after +54')
    expect(diallingOf('KZ').advice).toContain('begins with a 7')
    expect(diallingOf('CI').advice).toContain('Keep the 0 at the front')
    expect(diallingOf('BJ').advice).toContain('begins with 01; keep that 0')
    expect(diallingOf('MX').advice).toContain('Leave out the 01, 044 or 045')
    expect(diallingOf('GB').advice).toContain('leading 0')
    expect(diallingOf('IN').advice).toContain('Others, such as 98765 43210')
    expect(diallingOf('DK').advice).toContain('without a leading zero')
    expect(diallingOf('DO').advice).toContain('its area codes are 809, 829 and 849')
    expect(diallingOf('JM').advice).toContain('its area code is 876')
    expect(diallingOf('US').advice).not.toContain('its area code')
  })

  test('the dialler understands every example, at home and from abroad, as a number of that country', () => {
    expect(countriesByIso.size).toBe(165)
    for (const [isoCode, [country]] of countriesByIso) {
      for (const { what, written, international } of diallingOf(isoCode).examples) {
        for (const text of [written, international]) {
          const verdict = parseNumber(text, country as Country)
          expect(verdict, `${isoCode} ${text}`).toMatchObject({
            kind: 'ok',
            isoCode,
            formatted: international,
          })
          if (verdict.kind === 'ok' && verdict.type !== 'either') expect(what, text).toContain(verdict.type)
        }
      }
    }
  })

  test('no example can ring at a customer of the networks that keep numbers for examples', () => {
    for (const { isoCode, dialCode } of countries.filter(country => country.dialCode.startsWith('+1')))
      expect(diallingOf(isoCode).examples[0]?.international, dialCode).toMatch(/ 555 01\d\d$/)
  })

  test('reports a country that is not on the list', () => {
    expect(() => diallingOf('AQ')).toThrow('AQ')
  })
})
