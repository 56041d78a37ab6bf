/**
 * The site's service worker: where a page cannot be reached, it shows the offline page in its place, and answers nothing else
 * (decision 39). Pages, the API and scripts go past it. It takes over from the one before it when no page needs that any more, or
 * when somebody asks for the new version; pages that are open stay as they are.
 */

/** What `scripts/service-worker.mjs` says of the built site. */
declare const site: {
  /** The address of the dialler's script, which changes with all that it loads: the version of a page. */
  readonly version: string
  /** Changes with what is kept. */
  readonly cache: string
  /** What the offline page needs, itself first. */
  readonly kept: readonly [page: string, ...files: string[]]
}

/** Those parts of a worker's scope that are used here: the compiler knows either windows or workers. */
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
  /** The browser's own request for a page, begun while the worker starts. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(answer: Promise<Response>): void
}
const worker = self as unknown as Worker

/** Other caches of this origin are not ours to delete. */
const ours = 'offline-'
const cacheName = ours + site.cache
const [offlinePage] = site.kept

/** A line that carries nothing is as good as none; a slow one answers within this. */
const patienceMs = 20_000

async function keep(): Promise<void> {
  const cache = await caches.open(cacheName)
  await cache.addAll(site.kept.map(path => new Request(path, { cache: 'reload' })))
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

/** The network's answer. The request that the browser has begun is used for each: a second one may be one too many. */
async function answer({ request, preloadResponse }: Fetching): Promise<Response> {
  return (await preloadResponse) ?? fetch(request)
}

/** A page as it is on the network, or the offline page. */
async function page(event: Fetching): Promise<Response> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no answer')), patienceMs)
  })
  try {
    return await Promise.race([answer(event), late])
  } catch {
    return kept(offlinePage)
  }
}

worker.addEventListener('install', event => event.waitUntil(keep()))
worker.addEventListener('activate', event => event.waitUntil(begin()))
worker.addEventListener('message', ({ data, ports }) => {
  if (data === 'version') ports[0]?.postMessage(site.version)
  if (data === 'activate') void worker.skipWaiting()
})
worker.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== worker.location.origin) return
  // Whoever follows a link into the API is sent on from there, however long it takes: a reload would not lead back.
  if (request.mode === 'navigate')
    event.respondWith(pathname.startsWith('/api/') ? answer(event) : page(event))
  else if (site.kept.includes(pathname)) event.respondWith(fetch(request).catch(() => kept(pathname)))
})

// A module to the compiler: its names are its own.
export {}
