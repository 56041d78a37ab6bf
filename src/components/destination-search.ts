import { isNear } from '#lib/numbers/near.ts'

/** A query's search text, by the rules of `searchCountries`; an empty one matches all. Kept small: it is inlined. */
function needleOf(query: string): string {
  const text = query.normalize('NFKD').trim()
  return /^\+?\d[\d -]*$/.test(text)
    ? `+${text.replace(/\D/g, '')}`
    : text
        .replace(/[\p{M}'’ʻ]/gu, '')
        .toLowerCase()
        .replace(/\P{L}+/gu, ' ')
        .trim() || text.replace(/^\+$/, '')
}

/** Whether a query finds a row by its names. Misspelt names are found if nothing else is. @param all names of each row */
export function finderOf(query: string, all: readonly string[]): (names: string) => boolean {
  const needle = needleOf(query)
  return all.some(names => names.includes(needle))
    ? names => names.includes(needle)
    : names => isNear(needle, names)
}

/** Filters the list of `/destinations`. The style sheet hides letters without matches. */
export function searchDestinations(): void {
  const input = document.querySelector('[type=search]') as HTMLInputElement
  const status = document.querySelector('output') as HTMLOutputElement
  const rows = [...document.querySelectorAll<HTMLElement>('[data-find]')]
  const namesOf = (row: HTMLElement) => row.dataset.find as string
  input.oninput = () => {
    const finds = finderOf(input.value, rows.map(namesOf))
    let count = 0
    for (const row of rows) {
      row.hidden = !finds(namesOf(row))
      count += +!row.hidden
    }
    status.value = `${count} destination${count === 1 ? '' : 's'}`
  }
}
