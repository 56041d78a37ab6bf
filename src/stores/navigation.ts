/** Leaves for another page of this site. */
export function go(path: string): void {
  window.location.assign(path)
}

/** Leaves for another page, which takes this one's place in the history: Back does not return here. */
export function goInstead(path: string): void {
  window.location.replace(path)
}
