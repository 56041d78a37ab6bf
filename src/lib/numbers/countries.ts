import { currentLanguage, sourceLanguage } from '../i18n/language.ts'
import { memoised } from '../memoised.ts'
import { countryEntries } from './country-entries.ts'
import { byName, countryName } from './country-name.ts'
import { flagEmoji } from './flags.ts'

/**
 * The destinations we sell: 168 entries (PD-7), sorted by their English names; two countries have one for each dial code. Where
 * countries share a dial code, the number decides; the entry only supplies the prefix when none was typed.
 */

export interface Country {
  /** Stable and unique, even if a country has several dial codes: `us`, `do-1829`. */
  readonly id: string
  /** In the language of the page. */
  readonly name: string
  /** ISO 3166-1 alpha-2, upper case; Kosovo is XK by convention. */
  readonly isoCode: string
  readonly emoji: string
  /** With the plus; on the +1 islands it includes the area code: `+1876`. */
  readonly dialCode: string
}

const entriesPerIso = new Map<string, number>()
for (const [, isoCode] of countryEntries) entriesPerIso.set(isoCode, (entriesPerIso.get(isoCode) ?? 0) + 1)

export const countries: readonly Country[] = countryEntries.map(([english, isoCode, dialCode]) => ({
  id:
    entriesPerIso.get(isoCode) === 1
      ? isoCode.toLowerCase()
      : `${isoCode}-${dialCode.slice(1)}`.toLowerCase(),
  get name() {
    return countryName(isoCode, english)
  },
  isoCode,
  emoji: flagEmoji(isoCode),
  dialCode,
}))

const listedIn = memoised(language => (language === sourceLanguage ? countries : countries.toSorted(byName)))

/** All entries in the order of their names in the page's language. */
export function listedCountries(): readonly Country[] {
  return listedIn(currentLanguage())
}

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
