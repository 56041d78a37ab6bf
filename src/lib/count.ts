import { formatsOf } from './i18n/formats.ts'
import { currentLanguage } from './i18n/language.ts'

/** `1,250` in English. For text that people read: the API, CSV files and inputs have plain digits. */
export function formatCount(count: number): string {
  return formatsOf(currentLanguage()).number(count)
}
