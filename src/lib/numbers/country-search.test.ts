import { describe, expect, test } from 'vitest'
import { renderIn } from '../i18n/language.ts'
import { countries, countriesByIso } from './countries.ts'
import { searchCountries } from './country-search.ts'
import { endonymsOf } from './endonyms.ts'

const names = (query: string) => searchCountries(query).map(country => country.name)

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
    for (const query of ['+٩١', '۹۱', '९१', '৯১']) expect(names(query), query).toStrictEqual(['India'])
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

  test.each([
    ['Philipines', 'Philippines'],
    ['phillipines', 'Philippines'],
    ['Philipi', 'Philippines'],
    ['Columbia', 'Colombia'],
    ['Equador', 'Ecuador'],
    ['Switserland', 'Switzerland'],
    ['Kazakstan', 'Kazakhstan'],
    ['Untied Kingdom', 'United Kingdom'],
    ['kingdum', 'United Kingdom'],
    ['Deutchland', 'Germany'],
    ['Nehterlands', 'Netherlands'],
  ])('forgives a misspelling: %s', (query, name) => {
    expect(names(query)).toContain(name)
    expect(names(query).length).toBeLessThanOrEqual(3)
  })

  test.each([
    ['Deutschland', 'Germany'],
    ['España', 'Spain'],
    ['espana', 'Spain'],
    ['भारत', 'India'],
    ['Polska', 'Poland'],
    ['中国', 'China'],
    ['日本', 'Japan'],
    ['مصر', 'Egypt'],
    ['Україна', 'Ukraine'],
    ['Suisse', 'Switzerland'],
    ['Việt Nam', 'Vietnam'],
    ['香港', 'Hong Kong'],
  ])('knows what people there call their country: %s', (query, name) => {
    expect(names(query)).toStrictEqual([name])
  })

  test.each([
    ['DE', 'Germany'],
    ['in', 'India'],
    ['ph', 'Philippines'],
    ['Burma', 'Myanmar'],
    ['Ivory Coast', 'Côte d’Ivoire'],
    ['America', 'United States'],
    ['Ceylon', 'Sri Lanka'],
  ])('finds %s first by its code or common name', (query, name) => {
    expect(names(query).at(0)).toBe(name)
  })

  test('invents nothing for a few letters', () => {
    for (const query of ['zzz', 'zzzz', 'qqqqqqqq', 'xyz']) expect(names(query)).toStrictEqual([])
  })
})

test('a country’s own name is the one that CLDR has in its main language, unless it is the English one', () => {
  /** Official names that nobody types. */
  const shorter = ['HK', 'MD', 'PS']
  for (const [isoCode, [{ name }]] of countriesByIso) {
    const own = endonymsOf(isoCode)
    const { language, script } = new Intl.Locale(`und-${isoCode}`).maximize()
    const cldr = new Intl.DisplayNames([`${language}-${script}`], { type: 'region' }).of(isoCode)
    if (own.length > 0 && cldr !== name && !shorter.includes(isoCode)) expect(own, name).toContain(cldr)
    expect(own, name).not.toContain(name)
  }
})

test('finds a country by its name in the language of the page, in English and in its own', () => {
  renderIn('es')
  try {
    for (const query of ['Alemania', 'germany', 'Deutschland', 'aleman'])
      expect(searchCountries(query).map(({ isoCode }) => isoCode)).toContain('DE')
    expect(
      searchCountries('')
        .slice(0, 2)
        .map(({ name }) => name),
    ).toEqual(['Afganistán', 'Albania'])
    const all = searchCountries('').map(({ name }) => name)
    expect(all.indexOf('Estados Unidos')).toBeLessThan(all.indexOf('Estonia'))
  } finally {
    renderIn('en')
  }
})

test.each(['ألمانيا', 'المانيا', 'germany', 'Deutschland', '+49'])('in Arabic, %s finds Germany', query => {
  renderIn('ar')
  try {
    expect(searchCountries(query).map(({ isoCode }) => isoCode)).toContain('DE')
  } finally {
    renderIn('en')
  }
})
