import { countryEntries } from './country-entries.ts'
import { flagEmoji } from './flags.ts'

/**
 * The destinations we sell: 168 entries (product decision 7), sorted by name. The Dominican Republic and
 * Puerto Rico have one for each of their dial codes. Where several countries share a dial code, the number
 * decides which one it is; the entry only says what to prefix when no code was typed.
 */

export interface Country {
  /** Stable and unique, also where a country has several dial codes: `us`, `do-1829`. */
  readonly id: string
  readonly name: string
  /** ISO 3166-1 alpha-2, upper case; Kosovo has the customary XK. */
  readonly isoCode: string
  /** The flag as a pair of regional indicators, for where its picture cannot be had. */
  readonly emoji: string
  /** With the leading plus; on the +1 islands it holds the area code: `+1876`. */
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

/** United States, +1 (specification section 2). */
export const defaultCountry: Country = countryOfId('us')

/** All entries of a country, by upper-case ISO code; the first one is what stands for the country. */
export const countriesByIso: ReadonlyMap<string, readonly [Country, ...Country[]]> = groupByIso()

/** The country of an ISO code in any case, or undefined when we do not sell it. */
export function countryOfIso(isoCode: string): Country | undefined {
  return countriesByIso.get(isoCode.toUpperCase())?.[0]
}

/**
 * The entry that a number of a country belongs to: of several, the one whose dial code it begins with. The
 * default country where we do not sell that one.
 * @param e164 with the plus
 */
export function entryOfNumber(e164: string, isoCode: string): Country {
  const entries = countriesByIso.get(isoCode) ?? [defaultCountry]
  return entries.find(({ dialCode }) => e164.startsWith(dialCode)) ?? entries[0]
}

/** What people call a country by besides its name. Plain lower case, as `searchable` makes it. */
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

/** What a country is found by: its name and others people have for it, in plain lower case. */
export function searchNames({ name, isoCode }: Pick<Country, 'name' | 'isoCode'>): readonly string[] {
  return [searchable(name), ...(otherNames[isoCode] ?? [])]
}

/**
 * The entries whose name holds the query, or whose dial code starts with it (with or without the plus):
 * `united`, `44`, `+44`. Accents, case and punctuation do not matter. The very name comes first,
 * then names that start with the query; of several with the very dial code the one that leads the plan.
 * An empty query gives all of them.
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

/** Who comes first of those that share a dial code. */
const leads: readonly string[] = ['US', 'GB', 'RU']
/** 0 for the very code and the country people mean by it, 1 for others with that code, 2 for longer codes. */
function codeRankOf({ dialCode, isoCode }: Country, code: string): number {
  if (dialCode !== code) return 2
  return leads.includes(isoCode) ? 0 : 1
}

const noMatch = 3
/** 0 for the very name, 1 where it starts so, 2 where it holds the text. */
function rankOf(name: string, wanted: string): number {
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  return name.includes(wanted) ? 2 : noMatch
}

/** Lower case, without accents; apostrophes vanish, other punctuation counts as a space. */
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
