/**
 * Logs a chunk that fails to load, and reloads the page (SPEC-2.19, SPEC-8.23): at most once per chunk, and once for
 * all that are missing together. Never during a call: if the voice client does not load, the page says so afterwards.
 */
const wording =
  /dynamically imported module|importing a module script|unable to preload css|loading (?:css )?chunk/i

const memory = 'loadFailures'
const lastReload = 'loadReloadedAtMs'
/** After a reload this recent, the chunk is missing on the server too. */
const freshMs = 60_000

/** Identifies the chunk. Its URL contains a hash, so the same chunk of another deploy counts as new. */
function nameOf(failure: unknown): string {
  return String(failure).replace(/\?[^\s]*$/, '')
}

/** True if a reload may help. False as well when session storage is unavailable. */
function mayHelp(name: string, nowMs: number): boolean {
  try {
    const known = sessionStorage.getItem(memory) ?? ''
    sessionStorage.setItem(memory, `${known}${name}\n`)
    const sinceMs = nowMs - Number(sessionStorage.getItem(lastReload) ?? 0)
    if (known.includes(name) || (sinceMs >= 0 && sinceMs < freshMs)) return false
    sessionStorage.setItem(lastReload, String(nowMs))
    return true
  } catch {
    return false
  }
}

/** The page is reloading: a second report of the same failure needs no message. */
let leaving = false
/** Watches for the end of the call during which a chunk failed. */
let awaitingEnd: MutationObserver | undefined

function isInCall(): boolean {
  return document.documentElement.dataset.call === 'live'
}

function sayIt(): void {
  document.querySelector<HTMLElement>('.failed')?.removeAttribute('hidden')
}

/** After the call the page shows its cost and the number, so a reload is only offered. */
function sayItAfterCall(): void {
  awaitingEnd ??= new MutationObserver(() => {
    if (isInCall()) return
    awaitingEnd?.disconnect()
    awaitingEnd = undefined
    sayIt()
  })
  awaitingEnd.observe(document.documentElement, { attributeFilter: ['data-call'] })
}

function reloadOrSayIt(failure: unknown, nowMs: number): void {
  leaving = navigator.onLine && mayHelp(nameOf(failure), nowMs)
  if (leaving) location.reload()
  else sayIt()
}

/** When the page was last asked to leave. */
let leftAtMs = Number.NEGATIVE_INFINITY
/** How long the next page may take to answer. */
const leaveMs = 10_000

function recover(failure: unknown, now: () => number): void {
  console.error('A part of the page did not load.', failure)
  const repair = () => {
    if (isInCall()) sayItAfterCall()
    else if (!leaving) reloadOrSayIt(failure, now())
  }
  // WebKit drops what a page still loads as soon as it is left, and a reload would drop the next page. A page that
  // stays, or comes back out of the back/forward cache, is repaired then.
  const waitMs = leftAtMs + leaveMs - now()
  if (waitMs > 0) setTimeout(repair, waitMs)
  else repair()
}

/** Whether a press follows a link to another page, in this tab. */
function leadsAway({ target, defaultPrevented, ctrlKey, metaKey, shiftKey }: MouseEvent): boolean {
  if (defaultPrevented || ctrlKey || metaKey || shiftKey || !(target instanceof Element)) return false
  const link = target.closest<HTMLAnchorElement>('a[href]')
  if (link === null || link.target !== '' || link.hasAttribute('download')) return false
  return (
    link.origin === location.origin && link.pathname + link.search !== location.pathname + location.search
  )
}

/** Vite, Astro's islands, `import()` and script elements report a failure in different ways. @param now Unix ms */
export function watchLoadFailures(now: () => number): void {
  const recoverIfLoading = (error: unknown) => {
    if (error instanceof Error && wording.test(error.message)) recover(error, now)
  }
  const leave = () => {
    leftAtMs = now()
  }
  addEventListener('beforeunload', leave)
  // Safari on iOS has no `beforeunload` (https://webkit.org/b/219102).
  addEventListener('click', event => {
    if (leadsAway(event)) leave()
  })
  addEventListener('vite:preloadError', event => {
    // Not for a chunk that the page can do without (`src/session/load-optional.ts`).
    if (document.documentElement.dataset['optional'] === undefined)
      recover('payload' in event ? event.payload : event, now)
  })
  addEventListener('unhandledrejection', event => recoverIfLoading(event.reason))
  document.addEventListener('astro:hydration-error', event => {
    if (event instanceof CustomEvent) recoverIfLoading(event.detail.error)
  })
  addEventListener(
    'error',
    event => {
      if (event.target instanceof HTMLScriptElement) recover(event.target.src, now)
      else recoverIfLoading(event instanceof ErrorEvent ? event.error : undefined)
    },
    true,
  )
  document.querySelector('.failed button')?.addEventListener('click', () => location.reload())
}
