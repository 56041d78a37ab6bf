// Replaces a service worker that must be removed: deletes its caches and unregisters it (`PUBLIC_SERVICE_WORKER=off` at
// build time; docs/operating/deployment.md).
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

// Makes this file a module for TypeScript, so that its names are not global.
export {}
