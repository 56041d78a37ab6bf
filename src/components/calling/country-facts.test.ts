import { describe, expect, test } from 'vitest'
import { faceValue } from '#lib/money/face-value.ts'
import { findRate } from '#lib/money/tariff.ts'
import { countriesByIso, countryOfIso } from '#lib/numbers/countries.ts'
import { placeName } from '#lib/numbers/place-name.ts'
import { destinationOf, tariff } from '../destinations.ts'
import { minutesFor, pricesOf } from './call-prices.ts'
import { questionsAbout } from './country-questions.ts'
import { isRisky, notCalled } from './not-called.ts'
import { relatedTo } from './regions.ts'
import { sharingCode } from './sharing.ts'

const isoCodes = [...countriesByIso.keys()]

describe('what calls cost', () => {
  test('lists the ordinary rates first, then more expensive ranges by price with their prefixes', () => {
    const lines = pricesOf('AU').map(({ to, prefixes, perMinute, costs, freeMinutes }) => [
      to,
      prefixes.join(' '),
      perMinute,
      costs.join(' '),
      freeMinutes,
    ])
    expect(lines).toEqual([
      ['Mobiles and landlines', '', '$0.030', '$0.15 $0.30 $0.90', 5],
      ['Cocos and Christmas Islands', '+61 89162 +61 89164', '$0.180', '$0.90 $1.80 $5.40', 2],
      ['Satellite phones', '+61 145 +61 147', '$1.900', '$9.50 $19.00 $57.00', 0],
    ])
    expect(pricesOf('JP').map(({ to, perMinute }) => [to, perMinute])).toEqual([
      ['Mobiles', '$0.076'],
      ['Landlines', '$0.070'],
      ['More expensive numbers', '$0.092'],
    ])
    expect(minutesFor(10, 'IN')).toBe(181)
  })

  test('every prefix that is named costs what its line says', () => {
    let named = 0
    for (const isoCode of isoCodes) {
      for (const { prefixes, microUsdPerMinute } of pricesOf(isoCode)) {
        for (const prefix of prefixes) {
          named += 1
          expect(findRate(tariff, prefix.replaceAll(' ', ''))).toMatchObject({ isoCode, microUsdPerMinute })
        }
      }
    }
    expect(named).toBeGreaterThan(40)
  })

  test('a face value loses nothing', () => {
    expect(faceValue(24_000)).toBe('2.4¢')
    expect(faceValue(999_000)).toBe('99.9¢')
    expect(faceValue(1_140_000)).toBe('$1.14')
    expect(faceValue(1_000_000)).toBe('$1.00')
    expect(faceValue(1_125_000)).toBe('$1.125')
  })
})

describe('what is not called', () => {
  const refusedIn = (isoCode: string) => notCalled(isoCode).map(({ what }) => what)

  test('emergency numbers are the country’s own, kinds of numbers those that its plan has', () => {
    expect(refusedIn('GB')).toEqual([
      'Emergency numbers: 999 and 112',
      'Short numbers',
      'Premium-rate numbers',
      'Personal numbers',
      'Pagers',
      'Global codes',
    ])
    expect(refusedIn('NG')).toEqual(['Emergency numbers: 112 and 199', 'Short numbers', 'Global codes'])
    expect(refusedIn('US')).toContain('Area code 900 and exchange 976, premium rate')
  })

  test('shows the caution where PD-65 puts it', () => {
    const risky = ['JM', 'DO', 'PR', 'CU', 'HT', 'SO'].map(countryOfIso)
    for (const country of risky) expect(country && isRisky(country), country?.name).toBe(true)
    const ordinary = ['US', 'CA', 'IN', 'NG', 'PK', 'RU'].map(countryOfIso)
    for (const country of ordinary) expect(country && isRisky(country), country?.name).toBe(false)
  })
})

describe('questions', () => {
  const textsOf = (isoCode: string) =>
    questionsAbout(isoCode).map(({ question, answer }) => `${question} ${answer}`)

  test('there are three to five for every country, and no two countries have the same', () => {
    const all = isoCodes.flatMap(isoCode => {
      const questions = questionsAbout(isoCode)
      expect(questions.length, isoCode).toBeGreaterThanOrEqual(3)
      expect(questions.length, isoCode).toBeLessThanOrEqual(5)
      return questions.map(({ question, answer }) => question + answer)
    })
    expect(new Set(all).size).toBe(all.length)
    for (const text of all) expect(text).not.toMatch(/undefined|NaN|\$0\.00\b(?!\d)/)
  })

  test('promises the free call for as long as it lasts, and only where it is eligible', () => {
    expect(textsOf('IN')[1]).toContain('Yes, for 5 minutes.')
    expect(textsOf('GT')[1]).toContain('Yes, for 1 minute to a mobile, 2 minutes to a landline.')
    expect(textsOf('MD')[1]).toContain('To a landline, for 1 minute.')
    expect(textsOf('CU')[1]).toContain('No.')
    expect(destinationOf('CU').freeMinutes).toBe(0)
  })

  test('several dial codes and shared ones are explained', () => {
    expect(textsOf('DO').join()).toContain('Which code is right: +1 809, +1 829 or +1 849?')
    expect(textsOf('KZ').join()).toContain('Russia uses +7 as well')
    expect(textsOf('GB').join()).toContain('Guernsey, the Isle of Man and Jersey use +44 as well')
    expect(textsOf('US').join()).toContain('Canada, Bermuda and much of the Caribbean')
    expect(textsOf('CU').join()).toContain('Caution: This number may be blocked or fail to connect.')
  })
})

test('names stand in a sentence with their article', () => {
  const named = (isoCode: string) => placeName(destinationOf(isoCode))
  expect(['IN', 'US', 'NL', 'DO', 'XK'].map(named)).toEqual([
    'India',
    'the United States',
    'the Netherlands',
    'the Dominican Republic',
    'Kosovo',
  ])
})

test('every country has five related ones, those with its dial code first, and is related to another', () => {
  expect(relatedTo('KZ', sharingCode('KZ'))[0]).toBe('RU')
  expect(relatedTo('GB', sharingCode('GB')).slice(0, 3)).toEqual(['GG', 'IM', 'JE'])
  expect(relatedTo('IN', sharingCode('IN'))).toEqual(['LK', 'NP', 'PK', 'AF', 'BD'])
  const linked = new Set<string>()
  for (const isoCode of isoCodes) {
    const related = relatedTo(isoCode, sharingCode(isoCode))
    expect(new Set(related).size, isoCode).toBe(5)
    expect(related, isoCode).not.toContain(isoCode)
    for (const other of related) {
      expect(countryOfIso(other), other).toBeDefined()
      linked.add(other)
    }
  }
  expect(linked.size).toBe(165)
})
