/** Leaves for another page. */
export function go(path: string): void {
  window.location.assign(path)
}

/** Leaves for another page, which takes this one's place in the history: Back does not return here. */
export function goInstead(path: string): void {
  window.location.replace(path)
}

/** Opens an address in a new tab that knows nothing of this page. Browsers allow it soon after a press only. */
export function openTab(address: string): void {
  window.open(address, '_blank', 'noopener')
}
