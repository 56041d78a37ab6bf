/**
 * The search text for a query, by the rules of `searchCountries`: part of a name, ignoring accents, case and
 * punctuation, or the beginning of a dial code.
 * @returns an empty string for an empty query, which matches every country
 * Kept small: it is inlined in the page.
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

/** Filters the list of `/destinations`. The style sheet hides letters without matches. */
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
