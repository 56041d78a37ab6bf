/**
 * Specification sections 2 and 8: a piece that does not load is logged and the whole page reloaded. Once for
 * each piece, and once for all that are missing together: a reload that did not help is not repeated, and a call is never cut off by one. The voice client
 * loads after the press of Call: where it is gone, the page says so as soon as that call has ended.
 */
const wording =
  /dynamically imported module|importing a module script|unable to preload css|loading (?:css )?chunk/i

const memory = 'loadFailures'
const lastReload = 'loadReloadedAtMs'
/** A page that was reloaded so lately is as new as it gets: what it lacks, it lacks on the server too. */
const freshMs = 60_000

/** Names the piece, so that the same piece after another deploy (another hash) counts as new. */
function nameOf(failure: unknown): string {
  return String(failure).replace(/\?[^\s]*$/, '')
}

/** Whether a reload may help; false as well when nothing can be remembered. */
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

/** The page is on its way out: the same failure, reported in a second way, needs no words over it. */
let leaving = false
/** Watches a call for its end, once a piece has failed in it. */
let awaitingEnd: MutationObserver | undefined

function isInCall(): boolean {
  return document.documentElement.dataset.call === 'live'
}

function sayIt(): void {
  document.querySelector<HTMLElement>('.failed')?.removeAttribute('hidden')
}

/** What the call cost stands on the page then, and the number: a reload is offered, not made. */
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

function recover(failure: unknown, nowMs: number): void {
  console.error('A part of the page did not load.', failure)
  if (isInCall()) sayItAfterCall()
  else if (!leaving) reloadOrSayIt(failure, nowMs)
}

/**
 * Vite, Astro's islands, a bare `import()` and a script element each report the same trouble in their own way.
 * @param now epoch milliseconds
 */
export function watchLoadFailures(now: () => number): void {
  const recoverIfLoading = (error: unknown) => {
    if (error instanceof Error && wording.test(error.message)) recover(error, now())
  }
  addEventListener('vite:preloadError', event => recover('payload' in event ? event.payload : event, now()))
  addEventListener('unhandledrejection', event => recoverIfLoading(event.reason))
  document.addEventListener('astro:hydration-error', event => {
    if (event instanceof CustomEvent) recoverIfLoading(event.detail.error)
  })
  addEventListener(
    'error',
    event => {
      if (event.target instanceof HTMLScriptElement) recover(event.target.src, now())
      else recoverIfLoading(event instanceof ErrorEvent ? event.error : undefined)
    },
    true,
  )
  document.querySelector('.failed button')?.addEventListener('click', () => location.reload())
}
