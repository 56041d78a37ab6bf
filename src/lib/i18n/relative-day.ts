import { memoised } from '../memoised.ts'
import { currentLanguage } from './language.ts'

const formatIn = memoised(language => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))

/** `today`, `yesterday`, as they stand within a sentence of the page's language. */
export function relativeDay(day: 'today' | 'yesterday'): string {
  return formatIn(currentLanguage()).format(day === 'today' ? 0 : -1, 'day')
}

/** A date as it begins a line: some languages write its names in small letters. */
export function atLineStart(date: string): string {
  return date.charAt(0).toLocaleUpperCase(currentLanguage()) + date.slice(1)
}
