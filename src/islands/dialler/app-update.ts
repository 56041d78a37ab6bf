import { atom, computed, type ReadableAtom } from 'nanostores'
import { hourMs } from '#lib/time.ts'
import { ownScriptUrl } from '#session/trusted-types.ts'
import { isLive } from '#voice/call.ts'
import { $call } from './call/call.ts'

type Update =
  | { readonly state: 'none' }
  | { readonly state: 'ready' }
  | { readonly state: 'put_off' }
  | { readonly state: 'reloading' }

const $known = atom<Update>({ state: 'none' })
export const $updateOffered: ReadableAtom<boolean> = computed(
  [$known, $call],
  ({ state }, call) => state === 'ready' && !isLive(call),
)

/** Min time between two checks for a new version. */
const betweenLooksMs = hourMs
/** Longer than a worker takes to start; then the page reloads anyway. */
const longestWaitMs = 3000

let waiting: ServiceWorker | null = null

/** Whether a worker has another dialler script than this page: one opened after an update is already new. */
function isOther(worker: ServiceWorker): Promise<boolean> {
  const own = document.querySelector('astro-island[component-url*="Dialler"]')?.getAttribute('component-url')
  const { port1, port2 } = new MessageChannel()
  const answered = new Promise<boolean>(resolve => {
    port1.onmessage = ({ data }) => resolve(!data.includes(own))
  })
  worker.postMessage('version', [port2])
  return answered
}

async function consider(worker: ServiceWorker): Promise<void> {
  waiting = worker
  if (await isOther(worker)) $known.set({ state: 'ready' })
}

/** A browser's first worker is not an update. */
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

function lookAgain(registration: ServiceWorkerRegistration): void {
  let lookedAtMs = performance.now()
  const look = () => {
    if (document.visibilityState !== 'visible' || isLive($call.get())) return
    if (performance.now() - lookedAtMs < betweenLooksMs) return
    lookedAtMs = performance.now()
    // Offline: the next check may succeed.
    registration.update().catch(() => undefined)
  }
  document.addEventListener('visibilitychange', look)
  setInterval(look, betweenLooksMs)
}

/** Registers the service worker and watches for a new version of the site (ADR-39). */
export async function followApp(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register(ownScriptUrl('/sw.js'), { updateViaCache: 'none' })
    const registration = await navigator.serviceWorker.getRegistration('/')
    if (registration === undefined) return
    watch(registration)
    lookAgain(registration)
  } catch (error) {
    // Blocked or offline: only the offline page is missing.
    console.warn('The service worker is not there.', error)
  }
}

export async function applyUpdate(): Promise<void> {
  if ($known.get().state === 'reloading' || isLive($call.get())) return
  $known.set({ state: 'reloading' })
  const worker = waiting
  if (worker?.state === 'installed') {
    const applied = new Promise<void>(resolve => {
      worker.addEventListener('statechange', () => {
        if (worker.state === 'activated' || worker.state === 'redundant') resolve()
      })
      setTimeout(resolve, longestWaitMs)
    })
    worker.postMessage('activate')
    await applied
  }
  // A call has begun meanwhile; the offer returns after it.
  if (isLive($call.get())) return $known.set({ state: 'ready' })
  window.location.reload()
}

export function putOffUpdate(): void {
  $known.set({ state: 'put_off' })
}
