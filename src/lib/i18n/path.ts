import { currentLanguage, sourceLanguage } from './language.ts'

/** The address of a page in a language: `/faq` is `/es/faq` in Spanish. @param route path, with query and hash if any */
export function pathIn(language: string, route: string): string {
  return language === sourceLanguage ? route : `/${language}${route}`.replace(/\/(?=$|[?#])/, '')
}

/**
 * The language that an address names, and the page's address in English: `es` and `/faq` of `/es/faq`, or of the file `/es/faq.html`.
 * @param languages that an address may name; without one of them it is English
 */
export function splitPath(
  pathname: string,
  languages: readonly string[],
): { readonly language: string; readonly route: string } {
  const path = pathname.replace(/\.html$/, '')
  const language = languages.find(tag => path === `/${tag}` || path.startsWith(`/${tag}/`))
  if (language === undefined) return { language: sourceLanguage, route: path }
  return { language, route: path.slice(language.length + 1) || '/' }
}

/** The address of a page in the language of the page that links to it. */
export function localPath(route: string): string {
  return pathIn(currentLanguage(), route)
}
