import type { FastifyInstance } from 'fastify'
import { site } from '#lib/api/site.ts'
import type { Db } from '../db/port.ts'
import { commonFailure } from '../http/failure.ts'
import type { Mount } from '../http/mount.ts'
import { metricsAccess } from '../observability/access.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Redis } from '../redis/redis.ts'

/**
 * Refused, as a change would be, where the database only lets itself be read: after a failover the former primary still
 * answers. It locks no row and writes nothing.
 */
const askForChanges = 'select name from schema_migration limit 0 for key share'

/**
 * `/healthz`: the process runs. `/readyz`: it may be sent work: the database takes changes and it is not stopping. Without
 * Redis it may, as nothing but live updates between processes needs it, and says so.
 */
export function mountHealth(
  app: FastifyInstance,
  tools: { db: Db; isStopping: () => boolean; redis?: Pick<Redis, 'isAnswering'> | undefined },
): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
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

/** For Prometheus. @param token what who reads them has to show; undefined: they are for this machine alone */
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

/** What differs between a local installation and a real one, told to the pages. */
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
