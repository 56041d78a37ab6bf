import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commonFailure } from './failure.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Each request proves by a signature who sends it; browsers send none of them. */
    signed?: boolean
  }
}

/**
 * Refuses requests that another site's page made with the visitor's cookies: `Sec-Fetch-Site`, with
 * Origin as the fallback (reliability.md 'Sign-in'). Programs that send neither hold no cookies of ours.
 */
export function refuseForeignOrigins(app: FastifyInstance, publicUrl: string): void {
  const own = new URL(publicUrl).host
  app.addHook('onRequest', async request => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
    if (request.routeOptions.config.signed === true) return
    if (!isOwnOrigin(request, own)) throw commonFailure('forbidden_origin')
  })
}

function isOwnOrigin(request: FastifyRequest, own: string): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = request.headers
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  return host === own || host === request.headers.host
}
