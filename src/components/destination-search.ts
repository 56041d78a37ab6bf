/** A query's search text, by the rules of `searchCountries`; an empty one matches all. Kept small: it is inlined. */
export function needleOf(query: string): string {
  const text = query.normalize('NFKD').trim()
  return /^\+?\d[\d -]*$/.test(text)
    ? `+${text.replace(/\D/g, '')}`
    : text
        .replace(/[\p{M}'’ʻ]/gu, '')
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
