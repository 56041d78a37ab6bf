import { folded } from '../i18n/folded.ts'
import { currentLanguage } from '../i18n/language.ts'
import { memoised } from '../memoised.ts'
import { type Country, listedCountries } from './countries.ts'
import { countryEntries } from './country-entries.ts'
import { latinDigits } from './dialable.ts'
import { endonymsOf } from './endonyms.ts'
import { isNear } from './near.ts'

/** What else people call a country, in plain lower case. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['uae', 'emirates', 'dubai', 'abu dhabi'],
  BA: ['bosnia herzegovina'],
  CD: ['congo', 'democratic republic of the congo', 'drc', 'zaire'],
  CI: ['ivory coast'],
  CV: ['cabo verde'],
  CZ: ['czech republic'],
  ES: ['espana'],
  GB: ['uk', 'great britain', 'england', 'scotland', 'wales', 'northern ireland'],
  KH: ['kampuchea'],
  KR: ['korea'],
  LK: ['ceylon'],
  MK: ['macedonia'],
  MM: ['burma'],
  NL: ['holland'],
  TR: ['turkiye'],
  US: ['usa', 'america'],
}

interface Searchable {
  readonly country: Country
  readonly names: readonly string[]
}

const englishNames = new Map<string, string>(countryEntries.map(([name, isoCode]) => [isoCode, name]))

/** All names that find a country, in plain lower case; the page's language first, then English, then the ISO code. */
export function searchNames({ name, isoCode }: Pick<Country, 'name' | 'isoCode'>): readonly string[] {
  const own = endonymsOf(isoCode).map(searchable)
  const english = searchable(englishNames.get(isoCode) ?? name)
  return [
    ...new Set([searchable(name), english, isoCode.toLowerCase(), ...(otherNames[isoCode] ?? []), ...own]),
  ]
}

const indexIn = memoised((): readonly Searchable[] =>
  listedCountries().map(country => ({ country, names: searchNames(country) })),
)

/**
 * Finds entries by a part of a name (in the page's language, in English, the country's own, or a common one), the ISO code, or the start of the dial code
 * (`united`, `भारत`, `44`, `+44`), all for an empty query. Ignores accents, case and punctuation. Exact names come first, then
 * prefixes; among exact dial codes the main country. If nothing matches, finds misspelt names.
 */
export function searchCountries(query: string): readonly Country[] {
  const text = latinDigits(query.trim().normalize('NFKC'))
  if (/^\+?[0-9][0-9 -]*$/.test(text)) {
    const code = `+${text.replace(/[^0-9]/g, '')}`
    return listedCountries()
      .filter(country => country.dialCode.startsWith(code))
      .sort((a, b) => codeRankOf(a, code) - codeRankOf(b, code))
  }
  const wanted = searchable(text)
  if (wanted === '') return text === '' || text === '+' ? listedCountries() : []
  const index = indexIn(currentLanguage())
  const found = index
    .map(({ country, names }) => ({ country, rank: Math.min(...names.map(name => rankOf(name, wanted))) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => a.rank - b.rank)
  const near = found.length > 0 ? found : index.filter(({ country }) => isNear(wanted, foundBy(country)))
  return near.map(({ country }) => country)
}

/** The main country of each shared dial code. */
const leads: readonly string[] = ['US', 'GB', 'RU']
/** 0: exact code and main country; 1: exact code; 2: longer code. */
function codeRankOf({ dialCode, isoCode }: Country, code: string): number {
  if (dialCode !== code) return 2
  return leads.includes(isoCode) ? 0 : 1
}

const noMatch = 3
/** 0: exact name; 1: prefix; 2: substring. */
function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  return name.includes(wanted) ? 2 : noMatch
}

/** The search text of an entry: its names and the dial code, joined by plus signs: `india+91+in+भरत`. */
export function foundBy(entry: Country): string {
  return searchable(entry.name) + entry.dialCode + otherNamesOf(entry)
}

/** What `foundBy` has besides the name and the dial code: `+in+भरत`. */
export function otherNamesOf(entry: Country): string {
  const [, ...others] = searchNames(entry)
  return others.map(name => `+${name}`).join('')
}

/** Lower case without accents; apostrophes are removed, other punctuation becomes a space. */
function searchable(text: string): string {
  return folded(text)
    .replace(/[^\p{L}\p{M}]+/gu, ' ')
    .trim()
}
