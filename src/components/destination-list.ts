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

/** Entries by the first letter of their name, ignoring accents; in Chinese by the first of its pinyin. */
export function destinationsByLetter(): readonly LetterGroup[] {
  const listed = listedCountries().map(entry => ({
    entry,
    destination: destinationOf(entry.isoCode),
    otherNames: otherNamesOf(entry),
  }))
  const groups = Map.groupBy(listed, ({ entry }) => letterOf(entry.name))
  return [...groups].map(([letter, destinations]) => ({ letter, destinations }))
}

function letterOf(name: string): string {
  const first = name.charAt(0)
  if (han.test(first)) return pinyinInitial(first)
  // Й is a letter of its own, not an accented И.
  return cyrillic.test(first) ? first : first.normalize('NFD').charAt(0)
}

const han = /\p{sc=Han}/u
const cyrillic = /\p{sc=Cyrl}/u

/** The letters with which pinyin begins, and for each the character that comes first in the order of pinyin. */
const initials = 'ABCDEFGHJKLMNOPQRSTWXYZ'
const firstCharacters = [...'阿八嚓哒妸发旮哈讥咔垃痳拏噢妑七呥扨它穵夕丫帀']

function pinyinInitial(character: string): string {
  const { compare } = new Intl.Collator('zh-Hans')
  return initials.charAt(firstCharacters.findLastIndex(first => compare(first, character) <= 0))
}

/** How many are found, in each plural form of the page's language, for the script of the search: `data-one="# destination"`. */
export function countForms(): Readonly<Record<string, string>> {
  const rules = new Intl.PluralRules(currentLanguage())
  const forms: Record<string, string> = {}
  for (let count = 0; count <= countries.length; count += 1)
    forms[`data-${rules.select(count)}`] ??= destinationTexts.found({ count }).replace(`${count}`, '#')
  return forms
}
