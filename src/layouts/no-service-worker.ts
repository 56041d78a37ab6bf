/**
 * Takes the place of a service worker that must go: deletes what it kept, and the registration with it
 * (`PUBLIC_SERVICE_WORKER=off` at the build; docs/operating/deployment.md).
 */
interface Worker {
  readonly registration: { unregister(): Promise<boolean> }
  skipWaiting(): Promise<void>
  addEventListener(
    type: 'install' | 'activate',
    listener: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void
}
const worker = self as unknown as Worker

async function leave(): Promise<void> {
  const names = await caches.keys()
  await Promise.all(names.filter(name => name.startsWith('offline-')).map(name => caches.delete(name)))
  await worker.registration.unregister()
}

worker.addEventListener('install', event => event.waitUntil(worker.skipWaiting()))
worker.addEventListener('activate', event => event.waitUntil(leave()))

// A module to the compiler: its names are its own.
export {}
