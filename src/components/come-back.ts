/** Between two looks whether there is a connection: a network that is there and lets nothing through tells nobody. */
const betweenLooksMs = 10_000

/** This page stands at the address that was wanted, so that loading it again leads there. */
function reload(): void {
  if (location.pathname === '/offline') location.assign('/call')
  else location.reload()
}

/** Whether anything of the site can be reached. */
async function isReached(): Promise<boolean> {
  try {
    await fetch('/site.webmanifest', { method: 'HEAD', cache: 'no-store' })
    return true
  } catch {
    return false
  }
}

/** A browser that says it is offline is; one that says it is not may have a network that leads nowhere. */
function tellWhose(): void {
  for (const words of document.querySelectorAll<HTMLElement>('.lost [data-line]'))
    words.hidden = (words.dataset['line'] === 'off') === navigator.onLine
}

/** Leaves the offline page as soon as there is a connection, or somebody says so. */
export function comeBack(): void {
  tellWhose()
  addEventListener('offline', tellWhose)
  addEventListener('online', reload)
  document.querySelector('.lost button')?.addEventListener('click', reload)
  // Opened by its own address there is nothing to come back to.
  if (location.pathname === '/offline') return
  setInterval(async () => {
    if (document.visibilityState === 'visible' && (await isReached())) reload()
  }, betweenLooksMs)
}
