import { currentLanguage } from '#lib/i18n/language.ts'
import { type Country, countries, listedCountries } from '#lib/numbers/countries.ts'
import { otherNamesOf } from '#lib/numbers/country-search.ts'
import { destinationTexts } from './destination-texts.ts'
import { type Destination, destinationOf } from './destinations.ts'

/** One of the 168 entries. Countries with several dial codes have one entry each. */
export interface ListedDestination {
  readonly entry: Country
  readonly destination: Destination
  /** What finds it besides its name and its dial code: `+in+भरत`. */
  readonly otherNames: string
}

export interface LetterGroup {
  readonly letter: string
  readonly destinations: readonly ListedDestination[]
}

/** Entries by the first letter of their name, ignoring accents. */
export function destinationsByLetter(): readonly LetterGroup[] {
  const listed = listedCountries().map(entry => ({
    entry,
    destination: destinationOf(entry.isoCode),
    otherNames: otherNamesOf(entry),
  }))
  const groups = Map.groupBy(listed, ({ entry }) => entry.name.normalize('NFD').charAt(0))
  return [...groups].map(([letter, destinations]) => ({ letter, destinations }))
}

/** How many are found, in each plural form of the page's language, for the script of the search: `data-one="# destination"`. */
export function countForms(): Readonly<Record<string, string>> {
  const rules = new Intl.PluralRules(currentLanguage())
  const forms: Record<string, string> = {}
  for (let count = 0; count <= countries.length; count += 1)
    forms[`data-${rules.select(count)}`] ??= destinationTexts.found({ count }).replace(`${count}`, '#')
  return forms
}
