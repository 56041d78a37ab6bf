import { type Country, countries, searchNames } from '#lib/rules/countries.ts'
import { type Destination, destinationOf } from './destinations.ts'

/** One of the 168 entries; some countries have one for each dial code. */
export interface ListedDestination {
  readonly entry: Country
  readonly destination: Destination
  /** Its names in plain lower case and its dial code, with a plus between them: `india+91`. */
  readonly foundBy: string
}

export interface LetterGroup {
  readonly letter: string
  readonly destinations: readonly ListedDestination[]
}

/** All entries by the first letter of their name, accents aside. */
export function destinationsByLetter(): readonly LetterGroup[] {
  const groups = new Map<string, ListedDestination[]>()
  for (const entry of countries) {
    const letter = entry.name.normalize('NFD').charAt(0)
    const listed = { entry, destination: destinationOf(entry.isoCode), foundBy: foundBy(entry) }
    const group = groups.get(letter)
    if (group === undefined) groups.set(letter, [listed])
    else group.push(listed)
  }
  return [...groups].map(([letter, destinations]) => ({ letter, destinations }))
}

/** What `needleOf` is looked for in. */
export function foundBy(entry: Country): string {
  return searchNames(entry).join('+') + entry.dialCode
}
