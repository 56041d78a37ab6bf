import { currentLanguage } from './i18n/language.ts'
import { memoised, withLatinDigits } from './i18n/memoised.ts'

const formatIn = memoised(language => new Intl.NumberFormat(withLatinDigits(language)))

/** `1,250` in English. For text that people read: the API, CSV files and inputs have plain digits. */
export function formatCount(count: number): string {
  return formatIn(currentLanguage()).format(count)
}

/** `1 minute`, `1,250 minutes`. */
export function minutesText(minutes: number): string {
  return `${formatCount(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`
}
