/** The search field of `/destinations`. */
export const input = document.querySelector('[type=search]') as HTMLInputElement
const status = document.querySelector('output') as HTMLOutputElement

/** Shows the rows whose names match, and how many they are. The style sheet hides letters without matches. */
export function show(finds: (names: string) => boolean): number {
  let count = 0
  for (const row of document.querySelectorAll<HTMLElement>('[data-find]')) {
    row.hidden = !finds(row.dataset.find as string)
    count += +!row.hidden
  }
  status.value = `${count} destination${count === 1 ? '' : 's'}`
  return count
}
