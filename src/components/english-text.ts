import { isRightToLeft } from '#lib/i18n/direction.ts'
import { currentLanguage, sourceLanguage } from '#lib/i18n/language.ts'

/** Attributes of an element whose text is English on a page of any language. */
export function inEnglish(): Readonly<Record<string, string>> {
  return currentLanguage() === sourceLanguage ? {} : { lang: sourceLanguage, dir: 'ltr' }
}

/** Attributes of an element in the page's language, within one that is in English. */
export function inPageLanguage(): Readonly<Record<string, string>> {
  const language = currentLanguage()
  if (language === sourceLanguage) return {}
  return { lang: language, dir: isRightToLeft(language) ? 'rtl' : 'ltr' }
}
