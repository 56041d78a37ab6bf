/** A query's search text, by the rules of `searchCountries`; an empty one, `+`, matches all. Kept small: it is inlined. */
export function needleOf(query: string): string {
  const text = query.normalize('NFKD').trim()
  return /^\+?(\d[\d -]*)?$/.test(text)
    ? `+${text.replace(/\D/g, '')}`
    : text
        .replace(/[\p{M}'’ʻ]/gu, '')
        .toLowerCase()
        .replace(/\P{L}+/gu, ' ')
        .trim() || text
}
