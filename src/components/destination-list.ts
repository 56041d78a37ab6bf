import { type Country, listedCountries } from '#lib/numbers/countries.ts'
import { foundBy } from '#lib/numbers/country-search.ts'
import { type Destination, destinationOf } from './destinations.ts'

/** One of the 168 entries. Countries with several dial codes have one entry each. */
export interface ListedDestination {
  readonly entry: Country
  readonly destination: Destination
  /** Search text: names in plain lower case and the dial code, joined by plus signs: `india+91`. */
  readonly foundBy: string
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
    foundBy: foundBy(entry),
  }))
  const groups = Map.groupBy(listed, ({ entry }) => entry.name.normalize('NFD').charAt(0))
  return [...groups].map(([letter, destinations]) => ({ letter, destinations }))
}
