/**
 * Specification sections 2 and 8: a piece that does not load is logged and the whole page reloaded. Once for
 * each piece: a reload that did not help is not repeated, and a call is never cut off by one. The voice client
 * loads after the press of Call: where it is gone, the page says so as soon as that call has ended.
 */
const wording =
  /dynamically imported module|importing a module script|unable to preload css|loading (?:css )?chunk/i

const memory = 'loadFailures'

/** Names the piece, so that the same piece after another deploy (another hash) counts as new. */
function nameOf(failure: unknown): string {
  return String(failure).replace(/\?[^\s]*$/, '')
}

/** Whether this piece has not been reloaded for yet; false as well when nothing can be remembered. */
function isFirst(name: string): boolean {
  try {
    const known = sessionStorage.getItem(memory) ?? ''
    sessionStorage.setItem(memory, `${known}${name}\n`)
    return !known.includes(name)
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

function reloadOrSayIt(failure: unknown): void {
  leaving = navigator.onLine && isFirst(nameOf(failure))
  if (leaving) location.reload()
  else sayIt()
}

function recover(failure: unknown): void {
  console.error('A part of the page did not load.', failure)
  if (isInCall()) sayItAfterCall()
  else if (!leaving) reloadOrSayIt(failure)
}

function recoverIfLoading(error: unknown): void {
  if (error instanceof Error && wording.test(error.message)) recover(error)
}

/** Vite, Astro's islands, a bare `import()` and a script element each report the same trouble in their own way. */
export function watchLoadFailures(): void {
  addEventListener('vite:preloadError', event => recover('payload' in event ? event.payload : event))
  addEventListener('unhandledrejection', event => recoverIfLoading(event.reason))
  document.addEventListener('astro:hydration-error', event => {
    if (event instanceof CustomEvent) recoverIfLoading(event.detail.error)
  })
  addEventListener(
    'error',
    event => {
      if (event.target instanceof HTMLScriptElement) recover(event.target.src)
      else recoverIfLoading(event instanceof ErrorEvent ? event.error : undefined)
    },
    true,
  )
  document.querySelector('.failed button')?.addEventListener('click', () => location.reload())
}
