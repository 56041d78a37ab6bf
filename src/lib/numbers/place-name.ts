import { currentLanguage, sourceLanguage } from '../i18n/language.ts'
import type { Country } from './countries.ts'

const withArticle: readonly string[] = [
  'AE',
  'BS',
  'CD',
  'DO',
  'FK',
  'GB',
  'GM',
  'IM',
  'KY',
  'NL',
  'PH',
  'TC',
  'US',
  'VG',
  'VI',
]

/** A country's name in a sentence: `India`, `the United States`. Other languages have messages for bare names. */
export function placeName({ isoCode, name }: Pick<Country, 'isoCode' | 'name'>): string {
  return currentLanguage() === sourceLanguage && withArticle.includes(isoCode) ? `the ${name}` : name
}
