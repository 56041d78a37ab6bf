import { needleOf } from './destination-search.ts'

/** The search field of `/destinations`, and what it filters. In one query: the script is inlined, and counts every byte. */
export const [input, status, ...rows] = document.querySelectorAll<HTMLElement>(
  'input,output,.rows>*',
) as unknown as [HTMLInputElement, HTMLOutputElement, ...HTMLElement[]]

/**
 * Shows the rows whose names match, and how many they are, in a form of the page's language. A row reads `India+91 · …`, and carries
 * its other names. The style sheet hides letters without matches.
 */
export function show(finds: (names: string) => boolean): number {
  let count = 0
  for (const row of rows) {
    const [name, code] = (row.textContent as string).split(/[+·]/) as [string, string]
    row.hidden = !finds(`${needleOf(name)}+${code}${row.dataset.by}`)
    count += +!row.hidden
  }
  const form = status.dataset[new Intl.PluralRules(status.lang).select(count)] as string
  status.value = form.replace('#', `${count}`)
  return count
}
