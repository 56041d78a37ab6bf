/**
 * What to look for among the names and dial codes of a country, for a query by the rules of
 * `searchCountries`: part of a name, accents, case and punctuation aside, or the beginning of a dial code.
 * Nothing for an empty query, which finds every country. Small, because every byte of it is in the page.
 */
export function needleOf(query: string): string {
  const text = query.normalize('NFKD').trim()
  return /^\+?\d[\d -]*$/.test(text)
    ? `+${text.replace(/\D/g, '')}`
    : text
        .replace(/[\p{M}'’]/gu, '')
        .toLowerCase()
        .replace(/\P{L}+/gu, ' ')
        .trim() || text.replace(/^\+$/, '')
}

/** Keeps the list of `/destinations` to what is typed; the style sheet hides letters that have nothing left. */
export function searchDestinations(): void {
  const input = document.querySelector('[type=search]') as HTMLInputElement
  const status = document.querySelector('output') as HTMLOutputElement
  input.oninput = () => {
    const needle = needleOf(input.value)
    let count = 0
    for (const row of document.querySelectorAll<HTMLElement>('[data-find]')) {
      row.hidden = !(row.dataset.find as string).includes(needle)
      count += +!row.hidden
    }
    status.value = `${count} destination${count === 1 ? '' : 's'}`
  }
}
