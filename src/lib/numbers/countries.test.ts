import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { countries, countriesByIso, countryOfIso, defaultCountry, searchCountries } from './countries.ts'
import { flagPath } from './flags.ts'

const names = (query: string) => searchCountries(query).map(country => country.name)

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

describe('the search for a country', () => {
  test('finds by any part of the name, the very name and names that start so first', () => {
    expect(names('united')).toStrictEqual(['United Arab Emirates', 'United Kingdom', 'United States'])
    expect(names('guinea')).toStrictEqual(['Guinea'])
    expect(names('emirates').at(0)).toBe('United Arab Emirates')
    expect(names('in').slice(0, 2)).toStrictEqual(['India', 'Indonesia'])
    expect(names('in')).toContain('China')
  })

  test('does not mind case, accents, apostrophes and spaces around', () => {
    expect(names('  REUNION ')).toStrictEqual(['Réunion'])
    expect(names('réunion')).toStrictEqual(['Réunion'])
    expect(names("cote d'ivoire")).toStrictEqual(['Côte d’Ivoire'])
    expect(names('bosnia & herzegovina')).toStrictEqual(['Bosnia and Herzegovina'])
  })

  test('finds by dial code with and without the plus', () => {
    const isles = ['United Kingdom', 'Guernsey', 'Isle of Man', 'Jersey']
    expect(names('44')).toStrictEqual(isles)
    expect(names('+44')).toStrictEqual(isles)
    expect(searchCountries('+1829').map(country => country.id)).toStrictEqual(['do-1829'])
    expect(names('+1 876')).toStrictEqual(['Jamaica'])
    expect(names('１')).toContain('United States')
  })

  test('puts first whom people mean by a shared dial code, and longer codes last', () => {
    expect(names('+1').slice(0, 3)).toStrictEqual(['United States', 'Canada', 'Anguilla'])
    expect(names('+7')).toStrictEqual(['Russia', 'Kazakhstan'])
    for (const [code, name] of [
      ['+39', 'Italy'],
      ['+61', 'Australia'],
      ['+262', 'Réunion'],
    ] as const)
      expect(names(code).at(0)).toBe(name)
    expect(names('+2').at(0)).toBe(countries.find(({ dialCode }) => dialCode.startsWith('+2'))?.name)
  })

  test('knows what people call a country', () => {
    expect(names('uk').at(0)).toBe('United Kingdom')
    expect(names('USA')).toStrictEqual(['United States'])
    expect(names('ivory')).toStrictEqual(['Côte d’Ivoire'])
    expect(names('holland')).toStrictEqual(['Netherlands'])
  })

  test('shows all for nothing typed, none for what no country has', () => {
    expect(searchCountries(' ')).toHaveLength(168)
    expect(searchCountries('+')).toHaveLength(168)
    expect(searchCountries('atlantis')).toHaveLength(0)
    expect(searchCountries('999')).toHaveLength(0)
    expect(searchCountries('***')).toHaveLength(0)
  })
})
