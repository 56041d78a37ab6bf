import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Observer } from './port.ts'

/** Where providers tell what happened. */
const webhookRoute = /^\/api\/webhooks\//
/** An answer that refuses an event is short. */
const longestRefusal = 1000
/** Why we refuse events; every other reason counts as `other`. */
const knownReasons: ReadonlySet<string> = new Set([
  'forged',
  'foreign',
  'unreadable',
  'contradiction',
  'provider_unavailable',
  'unavailable',
  'internal',
  'invalid_request',
  'too_large',
  'not_found',
])

/**
 * Tells of every request, by its route and never by its address, and of events of providers that were not taken. Whoever
 * asks chooses no word of it.
 * @param paymentProvider the only one whose name in an address is more than a word of somebody's
 */
export function watchRequests(app: FastifyInstance, observe: Observer, paymentProvider: string): void {
  const reasons = new WeakMap<object, string>()
  app.addHook('onSend', (request, reply, payload, done) => {
    const { url } = request.routeOptions
    if (reply.statusCode >= 400 && url !== undefined && webhookRoute.test(url)) {
      reasons.set(request, reasonOf(payload) ?? 'other')
    }
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    // Of an address that nobody serves the method is anybody's as well.
    const method = route === 'none' ? 'any' : request.method
    observe({ kind: 'request_answered', method, route, status: reply.statusCode, ms: reply.elapsedTime })
    const reason = reasons.get(request)
    if (reason !== undefined) {
      const provider = providerOf(request, paymentProvider)
      observe({ kind: 'webhook_refused', provider, reason: knownReasons.has(reason) ? reason : 'other' })
    }
    done()
  })
}

/** A name of ours in the route; where the address names somebody, the one that we know. */
function providerOf({ routeOptions, params }: FastifyRequest, paymentProvider: string): string {
  const [, , , inRoute = ''] = (routeOptions.url ?? '').split('/')
  if (/^[a-z]+$/.test(inRoute)) return inRoute
  return (params as { provider?: unknown }).provider === paymentProvider ? paymentProvider : 'unknown'
}

function reasonOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || payload.length > longestRefusal) return undefined
  try {
    const { error } = JSON.parse(payload) as { error?: { code?: unknown } }
    return typeof error?.code === 'string' ? error.code : undefined
  } catch {
    return undefined
  }
}
