import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type EventTools, reportSecurityEvent } from '../observability/security-events.ts'
import { commonFailure } from './failure.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests are authenticated by a signature; browsers send none of them. */
    signed?: boolean
  }
}

/** Rejects cross-site requests with cookies: by `Sec-Fetch-Site`, with Origin as the fallback (REL-52). */
export function refuseForeignOrigins(
  app: FastifyInstance,
  tools: EventTools & { readonly publicUrl: string },
): void {
  const own = new URL(tools.publicUrl).host
  app.addHook('onRequest', async request => {
    if (request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS') return
    if (request.routeOptions.config.signed === true) return
    if (isOwnOrigin(request, own)) return
    reportSecurityEvent(tools, 'origin_refused', { address: request.ip })
    throw commonFailure('forbidden_origin')
  })
}

export function reportForeignSocket(tools: EventTools, address: string): void {
  reportSecurityEvent(tools, 'origin_refused', { address })
}

function isOwnOrigin(request: FastifyRequest, own: string): boolean {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const { origin } = request.headers
  if (origin === undefined) return true
  const host = URL.parse(origin)?.host
  return host === own || host === request.headers.host
}
