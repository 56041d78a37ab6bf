import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { renderIn } from '#lib/i18n/language.ts'
import { countries, listedCountries } from '#lib/numbers/countries.ts'
import { foundBy, searchCountries } from '#lib/numbers/country-search.ts'
import { endonymsOf } from '#lib/numbers/endonyms.ts'
import { isNear } from '#lib/numbers/near.ts'
import { countForms, destinationsByLetter } from './destination-list.ts'
import { needleOf } from './destination-search.ts'

const found = (query: string) => {
  const needle = needleOf(query)
  const exact = countries.filter(entry => foundBy(entry).includes(needle))
  const shown = exact.length > 0 ? exact : countries.filter(entry => isNear(needle, foundBy(entry)))
  return shown.map(({ id }) => id)
}
const expected = (query: string) => new Set(searchCountries(query).map(({ id }) => id))

test.each([
  'united',
  '  REUNION ',
  'réunion',
  'Côte d’Ivoire',
  "cote d'ivoire",
  'bosnia & herzegovina',
  'uk',
  'USA',
  'holland',
  '44',
  '+44',
  '+1 876',
  '1829',
  '１',
  '',
  '+',
  ' ',
  'atlantis',
  '999',
  '***',
  '++',
  'भारत',
  'PL',
  'Philipines',
  'grmany',
])('the list finds for %j what the dialler’s country list finds', query => {
  expect(new Set(found(query))).toEqual(expected(query))
})

test('and so for any letters and digits', () => {
  const part = fc.constantFrom(...countries.flatMap(({ name, dialCode }) => [name, dialCode]))
  const query = fc.tuple(part, fc.nat(12), fc.nat(12)).map(([text, from, to]) => text.slice(from, from + to))
  fc.assert(
    fc.property(query, text => {
      expect(new Set(found(text))).toEqual(expected(text))
    }),
    { numRuns: 500 },
  )
})

const languages = readdirSync(join(import.meta.dirname, '../languages'))

test.each(['en', ...languages])(
  'in %s both find each country by its name there, in English and in its own languages',
  tag => {
    const english = new Map(countries.map(({ id, name }) => [id, name]))
    renderIn(tag)
    try {
      for (const entry of listedCountries()) {
        const needles = [entry.name, english.get(entry.id) ?? '', ...endonymsOf(entry.isoCode)]
        for (const name of needles) {
          expect(
            searchCountries(name).map(({ id }) => id),
            name,
          ).toContain(entry.id)
          expect(foundBy(entry), name).toContain(needleOf(name))
        }
      }
    } finally {
      renderIn('en')
    }
  },
)

test.each([
  ['pl', 'Wlochy', 'IT'],
  ['pl', 'slowacja', 'SK'],
  ['ar', 'المانيا', 'DE'],
  ['ar', 'إيطاليـــا', 'IT'],
  ['ar', 'فرنسا', 'FR'],
  ['ar', 'تركيا', 'TR'],
  ['ar', 'تركیا', 'TR'],
  ['ur', 'پاكستان', 'PK'],
  ['ur', 'امريكہ', 'US'],
  ['hi', 'फ्रांस', 'FR'],
  ['hi', 'फ़्रांस', 'FR'],
  ['hi', 'चीन', 'CN'],
  ['fr', "cote d'ivoire", 'CI'],
  ['fr', 'Côte d’Ivoire', 'CI'],
])('in %s, both find by %s, as people type it', (tag, query, isoCode) => {
  renderIn(tag)
  try {
    expect(searchCountries(query)[0]?.isoCode).toBe(isoCode)
    const entry = listedCountries().find(country => country.isoCode === isoCode)
    expect(entry && foundBy(entry)).toContain(needleOf(query))
  } finally {
    renderIn('en')
  }
})

test('vowel signs tell countries apart: in Hindi, पेरू is Peru alone', () => {
  renderIn('hi')
  try {
    expect(searchCountries('पेरू').map(({ isoCode }) => isoCode)).toEqual(['PE'])
  } finally {
    renderIn('en')
  }
})

test('all 168 entries are listed once, by letter, accents aside', () => {
  const letters = destinationsByLetter()
  expect(letters.flatMap(({ destinations }) => destinations.map(({ entry }) => entry.id))).toEqual(
    countries.map(({ id }) => id),
  )
  expect(letters.map(({ letter }) => letter).join('')).toMatch(/^[A-Z]{20,26}$/)
})

test.each([
  ['zh-Hans', ['德国', 'D'], ['中国', 'Z'], ['印度', 'Y'], ['法国', 'F'], ['阿富汗', 'A'], ['俄罗斯', 'E']],
  ['uk', ['Йорданія', 'Й'], ['Італія', 'І'], ['Україна', 'У']],
  ['pl', ['Łotwa', 'Ł'], ['Szwecja', 'S']],
  ['ar', ['ألمانيا', 'ا'], ['إيطاليا', 'ا'], ['مصر', 'م']],
  ['hi', ['क्यूबा', 'क'], ['ऑस्ट्रिया', 'ऑ']],
  ['bn', ['কিউবা', 'ক']],
  ['fr', ['Égypte', 'E']],
] as const)('in %s a country stands under a letter of the language: %j, %j', (tag, ...expected) => {
  renderIn(tag)
  try {
    const letters = destinationsByLetter()
    for (const [name, letter] of expected) {
      const group = letters.find(({ destinations }) => destinations.some(({ entry }) => entry.name === name))
      expect(group?.letter, name).toBe(letter)
    }
    // In the order of the list, so that no letter comes twice.
    expect(letters.flatMap(({ destinations }) => destinations.map(({ entry }) => entry.id))).toEqual(
      listedCountries().map(({ id }) => id),
    )
  } finally {
    renderIn('en')
  }
})

test('how many are found has every plural form of the language', () => {
  expect(countForms()).toEqual({ 'data-other': '# destinations', 'data-one': '# destination' })
})
