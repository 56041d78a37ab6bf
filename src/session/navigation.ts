import { localPath } from '#lib/i18n/path.ts'

export function go(path: string): void {
  window.location.assign(path)
}

/** Replaces this page in the history: Back does not return here. */
export function goInstead(path: string): void {
  window.location.replace(path)
}

/** Opens a new tab without access to this page. Browsers allow it only soon after a press. */
export function openTab(address: string): void {
  window.open(address, '_blank', 'noopener')
}

/** @param next of a page, with its language */
export function goToLogin(next: string): void {
  goInstead(localPath(`/login?next=${encodeURIComponent(next)}`))
}
