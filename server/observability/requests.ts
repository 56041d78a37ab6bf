import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Observer } from './port.ts'

const webhookRoute = /^\/api\/webhooks\//
/** Error answers to webhooks are short. */
const maxErrorBodyLength = 1000
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
 * Reports requests by route, never by address, and rejected webhooks. No label comes from the client.
 * @param paymentProvider the only provider name accepted from an address
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
    // The method of an unknown route is the client's choice too.
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

/** The provider in the route; if it is a parameter, only the known one counts. */
function providerOf({ routeOptions, params }: FastifyRequest, paymentProvider: string): string {
  const [, , , inRoute = ''] = (routeOptions.url ?? '').split('/')
  if (/^[a-z]+$/.test(inRoute)) return inRoute
  return (params as { provider?: unknown }).provider === paymentProvider ? paymentProvider : 'unknown'
}

function reasonOf(payload: unknown): string | undefined {
  if (typeof payload !== 'string' || payload.length > maxErrorBodyLength) return undefined
  try {
    const { error } = JSON.parse(payload) as { error?: { code?: unknown } }
    return typeof error?.code === 'string' ? error.code : undefined
  } catch {
    return undefined
  }
}
