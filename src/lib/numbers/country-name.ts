import { currentLanguage, sourceLanguage } from '../i18n/language.ts'
import { memoised } from '../memoised.ts'

const namesIn = memoised(language => new Intl.DisplayNames(language, { type: 'region' }))

/** A country's name in the language of the page, by CLDR. @param english its name in our list */
export function countryName(isoCode: string, english: string): string {
  const language = currentLanguage()
  return language === sourceLanguage ? english : (namesIn(language).of(isoCode) ?? english)
}

const orderIn = memoised(language => new Intl.Collator(language))

/** Compares two names in the order of the page's language. */
export function byName(one: { readonly name: string }, other: { readonly name: string }): number {
  return orderIn(currentLanguage()).compare(one.name, other.name)
}
