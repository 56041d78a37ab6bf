// The site's service worker only serves the offline page when a page cannot be reached (ADR-39). The API and scripts
// bypass it. A new version activates when no open page uses the old one, or when the user asks for it; open pages are
// not reloaded.

import { pathIn, splitPath } from '#lib/i18n/path.ts'

/** Injected by `scripts/build/service-worker.mjs` for the built site. */
declare const site: {
  /** URLs of the dialler's script, one per language. They change with everything it loads, so they identify the version of a page. */
  readonly versions: readonly string[]
  /** Changes with the cached files. */
  readonly cache: string
  /** The offline page in English, followed by the files that it needs. */
  readonly kept: readonly [page: string, ...files: string[]]
  /** Other languages that have an offline page. It is kept once a page of the language is visited. */
  readonly languages: readonly string[]
}

/** The parts of `ServiceWorkerGlobalScope` used here: TypeScript cannot load its types together with the DOM's. */
interface Worker {
  readonly location: { readonly origin: string }
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Lasting) => void): void
  addEventListener(type: 'fetch', listener: (event: Fetching) => void): void
  addEventListener(type: 'message', listener: (event: MessageEvent<unknown>) => void): void
}
interface Lasting {
  waitUntil(work: Promise<unknown>): void
}
interface Fetching extends Lasting {
  readonly request: Request
  /** The navigation preload response, requested while the worker starts. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
const worker = self as unknown as Worker

/** Other caches of this origin must not be deleted. */
const ours = 'offline-'
const cacheName = ours + site.cache
const [offlinePage] = site.kept

/** Timeout for a page, after which the offline page is shown. */
const installTimeoutMs = 20_000

async function keep(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll(site.kept.map(path => new Request(path, { cache: 'reload' })))
}

/** The offline page in the language of a page. */
function offlinePageFor(pathname: string): string {
  return pathIn(splitPath(pathname, site.languages).language, offlinePage)
}

async function keepLanguage(path: string): Promise<void> {
  const cache = await caches.open(cacheName)
  if (!(await cache.match(path))) await cache.add(new Request(path, { cache: 'reload' }))
}

async function begin(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter(name => name.startsWith(ours) && name !== cacheName).map(name => caches.delete(name)),
  )
  await worker.registration.navigationPreload?.enable()
}

async function kept(path: string): Promise<Response> {
  const cache = await caches.open(cacheName)
  return (await cache.match(path, { ignoreVary: true })) ?? Response.error()
}

/** Uses the browser's preload request if there is one, because a second request may have side effects. */
async function answer({ request, preloadResponse }: Fetching): Promise<Response> {
  return (await preloadResponse) ?? fetch(request)
}

/** The page from the network, or the offline page. */
async function page(event: Fetching, pathname: string): Promise<Response> {
  const ownOfflinePage = offlinePageFor(pathname)
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), installTimeoutMs)
  })
  try {
    const response = await Promise.race([answer(event), late])
    event.waitUntil(keepLanguage(ownOfflinePage))
    return response
  } catch {
    const own = await kept(ownOfflinePage)
    return own.type === 'error' ? kept(offlinePage) : own
  }
}

worker.addEventListener('install', event => event.waitUntil(keep()))
worker.addEventListener('activate', event => event.waitUntil(begin()))
worker.addEventListener('message', ({ data, ports }) => {
  if (data === 'version') ports[0]?.postMessage(site.versions)
  if (data === 'activate') void worker.skipWaiting()
})
worker.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  // API URLs redirect elsewhere, and may take long. No offline page for them: a reload of it would not lead back.
  if (request.mode === 'navigate')
    event.respondWith(pathname.startsWith('/api/') ? answer(event) : page(event, pathname))
  else if (site.kept.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)))
})
