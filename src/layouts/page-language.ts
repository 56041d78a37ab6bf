import languages from 'virtual:languages'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { addLanguage } from '#lib/i18n/messages.ts'
import { splitPath } from '#lib/i18n/path.ts'

/** Every language of this build, English first. */
export const siteLanguages: readonly string[] = [sourceLanguage, ...languages.map(({ tag }) => tag)]
for (const { tag, scopes } of languages) addLanguage(tag, scopes)

/** Renders what follows in the language of a path: `/es/faq` is Spanish, `/faq` English. */
export function renderPageAt(pathname: string): void {
  renderIn(splitPath(pathname, siteLanguages).language)
}

/** `es_ES` for Spanish: Open Graph wants a country with each language. */
export function openGraphLocale(tag: string): string {
  const { language, region } = new Intl.Locale(tag).maximize()
  return `${language}_${region}`
}

/** False for a language whose texts no native speaker has read yet. */
export function isReviewed(language: string): boolean {
  return languages.every(({ tag, reviewed }) => tag !== language || reviewed)
}
