import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countries, countriesByIso, countryOfIso, defaultCountry } from './countries.ts'
import { flagPath } from './flags.ts'

describe('the list of countries', () => {
  test('has exactly 168 entries for 165 countries', () => {
    expect(countries).toHaveLength(168)
    expect(countriesByIso.size).toBe(165)
  })

  test('has one entry for each dial code of the Dominican Republic and Puerto Rico, else one a country', () => {
    const several = [...countriesByIso].filter(([, entries]) => entries.length > 1)
    expect(
      several.map(([isoCode, entries]) => [isoCode, entries.map(entry => entry.dialCode)]),
    ).toStrictEqual([
      ['DO', ['+1809', '+1829', '+1849']],
      ['PR', ['+1787', '+1939']],
    ])
  })

  test('gives every entry its own id, and the flag of its country as an emoji', () => {
    expect(new Set(countries.map(country => country.id)).size).toBe(168)
    for (const { isoCode, dialCode, emoji } of countries) {
      expect(isoCode).toMatch(/^[A-Z]{2}$/)
      expect(dialCode).toMatch(/^\+[1-9]\d{0,3}$/)
      expect(emoji).toMatch(/^\p{RI}{2}$/u)
    }
    expect(countryOfIso('gb')).toStrictEqual({
      id: 'gb',
      name: 'United Kingdom',
      isoCode: 'GB',
      emoji: '🇬🇧',
      dialCode: '+44',
    })
  })

  test('is sorted by name', () => {
    const sorted = countries.map(country => country.name).toSorted((a, b) => a.localeCompare(b, 'en'))
    expect(countries.map(country => country.name)).toStrictEqual(sorted)
  })

  test('starts with the United States chosen', () => {
    expect(defaultCountry).toMatchObject({ name: 'United States', isoCode: 'US', dialCode: '+1' })
  })

  test('holds the ten countries that the landing page links', () => {
    for (const isoCode of ['US', 'GB', 'IN', 'FR', 'DE', 'BR', 'ES', 'IT', 'AU', 'MX'])
      expect(countryOfIso(isoCode)).toBeDefined()
  })

  test('has a picture for every flag, none besides, and its licence', () => {
    for (const { isoCode } of countries) expect(existsSync(`public${flagPath(isoCode)}`)).toBe(true)
    const pictures = readdirSync('public/flags').filter(file => file.endsWith('.svg'))
    expect(pictures).toHaveLength(165)
    expect(readFileSync('public/flags/LICENSE', 'utf8')).toContain('circle-flags contributors')
  })
})
