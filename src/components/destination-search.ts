import { folded } from '#lib/i18n/folded.ts'

/** A query's search text, by the rules of `searchCountries`; an empty one, `+`, matches all. Kept small: it is inlined. */
export function needleOf(query: string): string {
  const text = folded(query).trim()
  return /^\+?(\d[\d -]*)?$/.test(text)
    ? `+${text.replace(/\D/g, '')}`
    : text.replace(/[^\p{L}\p{M}]+/gu, ' ').trim() || text
}
