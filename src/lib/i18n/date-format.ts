import { memoised } from '../memoised.ts'
import { currentLanguage, sourceLanguage, withLatinDigits } from './language.ts'

/** In English the day stands before the month. */
const localeOf = (language: string) => (language === sourceLanguage ? 'en-GB' : withLatinDigits(language))

/**
 * Formats dates in the language of the page and, without `timeZone`, in the reader's time zone.
 * The format is made when it is first needed: that takes a slow phone about 20 ms.
 */
export function dateFormat(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const formatIn = memoised(language => new Intl.DateTimeFormat(localeOf(language), options))
  return date => formatIn(currentLanguage()).format(date)
}
