import { currentLanguage, sourceLanguage } from './language.ts'

/** The address of a page in a language: `/faq` is `/es/faq` in Spanish. @param route path, with query and hash if any */
export function pathIn(language: string, route: string): string {
  return language === sourceLanguage ? route : `/${language}${route}`.replace(/\/(?=$|[?#])/, '')
}

/** The address of a page in the language of the page that links to it. */
export function localPath(route: string): string {
  return pathIn(currentLanguage(), route)
}
