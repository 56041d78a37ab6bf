import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { site } from '#lib/api/site.ts'
import type { Db } from '../db/port.ts'
import { isLoopback } from '../limits/origin.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Redis } from '../redis/redis.ts'
import { commonFailure } from './failure.ts'
import type { Mount } from './mount.ts'
import { cameThroughProxy } from './proxy-headers.ts'
import { probeProxies } from './proxy-probe.ts'

/** Fails on a read-only database, such as a former primary after a failover, without locking or writing. */
const askForChanges = 'select name from schema_migration limit 0 for key share'

/** `/healthz`: the process runs; tells the doctor which proxies a request passed. `/readyz`: not stopping, and the database takes changes. Redis is only reported. */
export function mountHealth(
  app: FastifyInstance,
  tools: {
    db: Db
    isStopping: () => boolean
    redis?: Pick<Redis, 'isAnswering'> | undefined
    /** `Keys.probe` */
    probeKey: Uint8Array
  },
): void {
  app.get('/healthz', { logLevel: 'silent' }, async request => {
    const proxies = probeProxies(request, tools.probeKey)
    return { status: 'ok', ...(proxies && { proxies }) }
  })
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    if (tools.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await tools.db.query(askForChanges)
      return tools.redis?.isAnswering() === false
        ? { status: 'degraded', redis: 'away' }
        : { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'database unavailable' })
    }
  })
}

/** Prometheus metrics. @param token required from readers; undefined: only this machine may read */
export function mountMetrics(app: FastifyInstance, metrics: Metrics, token: string | undefined): void {
  app.get('/metrics', { logLevel: 'silent' }, async (request, reply) => {
    const access = metricsAccess(request, token)
    if (access === 'refused') throw commonFailure('unauthorized', 'Show the token of METRICS_TOKEN.')
    if (access === 'hidden') throw commonFailure('not_found')
    return reply
      .header('content-type', metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.read())
  })
}

/** `hidden`: answered as an unknown address. */
type MetricsAccess = 'granted' | 'refused' | 'hidden'

/**
 * With a token configured, whoever sends it may read the metrics. Without one, only loopback without proxy headers may:
 * behind a proxy on this machine, all connections come from loopback.
 */
export function metricsAccess(
  { headers, raw }: Pick<FastifyRequest, 'headers' | 'raw'>,
  token: string | undefined,
): MetricsAccess {
  if (token !== undefined) {
    const [, shown] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? []
    return shown !== undefined && same(shown, token) ? 'granted' : 'refused'
  }
  return !cameThroughProxy(headers) && isLoopback(raw.socket.remoteAddress ?? '') ? 'granted' : 'hidden'
}

/** Constant time. */
function same(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(one), digest(other))
}

/** Informs the pages how this installation differs from a real one. */
export function mountSite(
  mount: Mount,
  tools: { localInbox: boolean; reviewUrl: string | undefined; google: boolean },
): void {
  mount(site, async () => ({
    localInbox: tools.localInbox,
    reviewUrl: tools.reviewUrl ?? null,
    google: tools.google,
  }))
}
