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

/** A country's name in a sentence: `India`, `the United States`. */
export function placeName({ isoCode, name }: Pick<Country, 'isoCode' | 'name'>): string {
  return withArticle.includes(isoCode) ? `the ${name}` : name
}
