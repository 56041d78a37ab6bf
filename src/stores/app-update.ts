import { atom, computed, type ReadableAtom } from 'nanostores'
import { isLive } from '#lib/rules/call.ts'
import { $call } from './call.ts'

type Update =
  /** This page is the newest as far as anybody knows. */
  | { readonly state: 'none' }
  /** Another version is there. */
  | { readonly state: 'ready' }
  /** Somebody would rather not now. */
  | { readonly state: 'put_off' }
  | { readonly state: 'reloading' }

const $known = atom<Update>({ state: 'none' })
/** Whether to offer the new version: never in a call, nor while one rings. */
export const $updateOffered: ReadableAtom<boolean> = computed(
  [$known, $call],
  ({ state }, call) => state === 'ready' && !isLive(call),
)

/** A page that stays open asks no more often whether there is another version. */
const betweenLooksMs = 60 * 60_000
/** Longer than a worker takes to start; then the page is reloaded whatever has become of it. */
const longestWaitMs = 3000

let waiting: ServiceWorker | null = null

/**
 * Whether a worker is of another version than this page, which it is asked: the dialler's script is the version. A page that was
 * opened after the change is new already, while the worker of the version before still runs for other tabs.
 */
function isOther(worker: ServiceWorker): Promise<boolean> {
  const own = document.querySelector('astro-island[component-url*="Dialler"]')?.getAttribute('component-url')
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise<boolean>(resolve => {
    port1.onmessage = ({ data }) => resolve(data !== own)
  })
  worker.postMessage('version', [port2])
  return answered
}

async function consider(worker: ServiceWorker): Promise<void> {
  waiting = worker
  if (await isOther(worker)) $known.set({ state: 'ready' })
}

/** The first worker of a browser brings nothing new. */
function watch(registration: ServiceWorkerRegistration): void {
  const awaitInstalled = () => {
    const { installing, active } = registration
    if (active === null) return
    installing?.addEventListener('statechange', () => {
      if (installing.state === 'installed') void consider(installing)
    })
  }
  if (registration.waiting !== null && registration.active !== null) void consider(registration.waiting)
  awaitInstalled()
  registration.addEventListener('updatefound', awaitInstalled)
}

/** Looks for another version from time to time, and when somebody comes back to the page. */
function lookAgain(registration: ServiceWorkerRegistration): void {
  let lookedAtMs = performance.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || isLive($call.get())) return
    if (performance.now() - lookedAtMs < betweenLooksMs) return
    lookedAtMs = performance.now()
    // Out of reach now: the next look may find it.
    registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', look)
  setInterval(look, betweenLooksMs)
}

/** Registers the site's service worker, and watches for another version of the site (decision 39). */
export async function followApp(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register('/sw.js', { updateViaCache: 'none' })
    const registration = await navigator.serviceWorker.getRegistration('/')
    if (registration === undefined) return
    watch(registration)
    lookAgain(registration)
  } catch (error) {
    // Blocked, or out of reach: everything works without it but the offline page.
    console.warn('The service worker is not there.', error)
  }
}

/** Takes the new version: its worker takes over, and this page alone is reloaded, once. */
export async function takeUpdate(): Promise<void> {
  if ($known.get().state === 'reloading' || isLive($call.get())) return
  $known.set({ state: 'reloading' })
  const worker = waiting
  if (worker?.state === 'installed') {
    const taken = new Promise<void>(resolve => {
      worker.addEventListener('statechange', () => {
        if (worker.state === 'activated' || worker.state === 'redundant') resolve()
      })
      setTimeout(resolve, longestWaitMs)
    })
    worker.postMessage('activate')
    await taken
  }
  // A call that was begun meanwhile goes on; the offer comes back after it.
  if (isLive($call.get())) return $known.set({ state: 'ready' })
  window.location.reload()
}

/** Leaves the page as it is, until there is yet another version. */
export function putOffUpdate(): void {
  $known.set({ state: 'put_off' })
}
