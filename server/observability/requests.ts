import type { FastifyInstance } from 'fastify'
import type { Observer } from './port.ts'

/** Where providers tell what happened. */
const webhookRoute = /^\/api\/webhooks\//
/** An answer that refuses an event is short. */
const longestRefusal = 1000

/** Tells of every request, by its route and never by its address, and of events of providers that were not taken. */
export function watchRequests(app: FastifyInstance, observe: Observer): void {
  const reasons = new WeakMap<object, string>()
  app.addHook('onSend', (request, reply, payload, done) => {
    const { url } = request.routeOptions
    if (reply.statusCode >= 400 && url !== undefined && webhookRoute.test(url)) {
      reasons.set(request, reasonOf(payload) ?? `status_${reply.statusCode}`)
    }
    done(null, payload)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none'
    // Of an address that nobody serves the method is anybody's as well.
    const method = route === 'none' ? 'any' : request.method
    observe({ kind: 'request_answered', method, route, status: reply.statusCode, ms: reply.elapsedTime })
    const reason = reasons.get(request)
    if (reason !== undefined)
      observe({ kind: 'webhook_refused', provider: providerOf(request, reply), reason })
    done()
  })
}

/** What follows in the address: a name of ours, or whatever somebody made up, which is nobody. */
function providerOf(
  { url, params }: { url: string; params: unknown },
  { statusCode }: { statusCode: number },
): string {
  if (statusCode === 404) return 'unknown'
  const named = (params as { provider?: unknown } | undefined)?.provider
  const [, , , inPath = 'unknown'] = url.split(/[/?#]/)
  return typeof named === 'string' ? named : inPath
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
