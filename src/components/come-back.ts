/** Polling interval: a network that exists but passes no traffic fires no `online` event. */
const betweenLooksMs = 10_000

/** Of the offline page in any language. */
const ownAddress = /\/offline$/

/** The offline page keeps the requested URL, so reloading leads there. */
function reload(): void {
  const { pathname } = location
  if (ownAddress.test(pathname)) location.assign(pathname.replace(ownAddress, '/call'))
  else location.reload()
}

async function isReached(): Promise<boolean> {
  try {
    await fetch('/site.webmanifest', { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

/** `navigator.onLine` is reliable only when false: a connected network may still have no internet access. */
function showSignedInAs(): void {
  for (const signedInText of document.querySelectorAll<HTMLElement>('.lost [data-line]'))
    signedInText.hidden = (signedInText.dataset['line'] === 'off') === navigator.onLine
}

/** Leaves the offline page as soon as the site responds, or on request. */
export function comeBack(): void {
  showSignedInAs()
  addEventListener('offline', showSignedInAs)
  addEventListener('online', reload)
  document.querySelector('.lost button')?.addEventListener('click', reload)
  // Opened directly at `/offline`, there is no page to return to.
  if (ownAddress.test(location.pathname)) return
  setInterval(async () => {
    if (document.visibilityState === 'visible' && (await isReached())) reload()
  }, betweenLooksMs)
}
