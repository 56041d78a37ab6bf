import { countryEntries } from './country-entries.ts'
import { flagEmoji } from './flags.ts'

/**
 * The destinations we sell: 168 entries (PD-7), sorted by name; two countries have one for each dial code. Where
 * countries share a dial code, the number decides; the entry only supplies the prefix when none was typed.
 */

export interface Country {
  /** Stable and unique, even if a country has several dial codes: `us`, `do-1829`. */
  readonly id: string
  readonly name: string
  /** ISO 3166-1 alpha-2, upper case; Kosovo is XK by convention. */
  readonly isoCode: string
  readonly emoji: string
  /** With the plus; on the +1 islands it includes the area code: `+1876`. */
  readonly dialCode: string
}

const entriesPerIso = new Map<string, number>()
for (const [, isoCode] of countryEntries) entriesPerIso.set(isoCode, (entriesPerIso.get(isoCode) ?? 0) + 1)

export const countries: readonly Country[] = countryEntries.map(([name, isoCode, dialCode]) => ({
  id:
    entriesPerIso.get(isoCode) === 1
      ? isoCode.toLowerCase()
      : `${isoCode}-${dialCode.slice(1)}`.toLowerCase(),
  name,
  isoCode,
  emoji: flagEmoji(isoCode),
  dialCode,
}))

/** United States, +1 (SPEC-2.40). */
export const defaultCountry: Country = countryOfId('us')

/** Entries by upper-case ISO code; the first represents the country. */
export const countriesByIso: ReadonlyMap<string, readonly [Country, ...Country[]]> = groupByIso()

export function countryOfIso(isoCode: string): Country | undefined {
  return countriesByIso.get(isoCode.toUpperCase())?.[0]
}

/** The entry whose dial code `e164` (with the plus) begins with; the default country if none does. */
export function entryOfNumber(e164: string, isoCode: string): Country {
  const entries = countriesByIso.get(isoCode) ?? [defaultCountry]
  return entries.find(({ dialCode }) => e164.startsWith(dialCode)) ?? entries[0]
}

const otherNames: Readonly<Record<string, readonly string[]>> = {
  AE: ['uae', 'emirates', 'dubai', 'abu dhabi'],
  BA: ['bosnia herzegovina'],
  CD: ['congo', 'democratic republic of the congo'],
  CI: ['ivory coast'],
  CV: ['cabo verde'],
  CZ: ['czech republic'],
  DE: ['deutschland'],
  ES: ['espana'],
  GB: ['uk', 'great britain', 'england', 'scotland', 'wales', 'northern ireland'],
  KR: ['korea'],
  MM: ['burma'],
  NL: ['holland'],
  TR: ['turkiye'],
  US: ['usa', 'america'],
}

interface Searchable {
  readonly country: Country
  readonly names: readonly string[]
}
const index: readonly Searchable[] = countries.map(country => ({ country, names: searchNames(country) }))

export function searchNames({ name, isoCode }: Pick<Country, 'name' | 'isoCode'>): readonly string[] {
  return [searchable(name), ...(otherNames[isoCode] ?? [])]
}

/**
 * Finds entries by a part of the name or the start of the dial code (`united`, `44`, `+44`), all for an empty query.
 * Ignores accents, case and punctuation. Exact names come first, then prefixes; among exact dial codes the main
 * country.
 */
export function searchCountries(query: string): readonly Country[] {
  const text = query.trim().normalize('NFKC')
  if (/^\+?[0-9][0-9 -]*$/.test(text)) {
    const code = `+${text.replace(/[^0-9]/g, '')}`
    return countries
      .filter(country => country.dialCode.startsWith(code))
      .sort((a, b) => codeRankOf(a, code) - codeRankOf(b, code))
  }
  const wanted = searchable(text)
  if (wanted === '') return text === '' || text === '+' ? countries : []
  return index
    .map(({ country, names }) => ({ country, rank: Math.min(...names.map(name => rankOf(name, wanted))) }))
    .filter(({ rank }) => rank < noMatch)
    .sort((a, b) => a.rank - b.rank)
    .map(({ country }) => country)
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

/** Lower case without accents; apostrophes are removed, other punctuation becomes a space. */
function searchable(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\p{M}'’]/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}]+/gu, ' ')
    .trim()
}

function countryOfId(id: string): Country {
  const found = countries.find(country => country.id === id)
  if (found === undefined) throw new Error(`no country entry ${id}`)
  return found
}

function groupByIso(): Map<string, [Country, ...Country[]]> {
  const groups = new Map<string, [Country, ...Country[]]>()
  for (const country of countries) {
    const group = groups.get(country.isoCode)
    if (group === undefined) groups.set(country.isoCode, [country])
    else group.push(country)
  }
  return groups
}
