import type { APIRoute } from 'astro'
import gone from '#layouts/no-service-worker.ts?inline-script'
import code from '#layouts/service-worker.ts?inline-script'

/** The site's service worker; the build (`scripts/build/service-worker.mjs`) says in place of the word what it is to keep. */
export const GET: APIRoute = () =>
  new Response(import.meta.env.PUBLIC_SERVICE_WORKER === 'off' ? gone : `const site="SITE";${code}`, {
    headers: { 'content-type': 'text/javascript' },
  })
