import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { site } from '#lib/api/site.ts'
import type { Db } from '../db/port.ts'
import { isLoopback } from '../limits/origin.ts'
import type { Metrics } from '../observability/metrics.ts'
import type { Clock } from '../process/clock.ts'
import type { Redis } from '../redis/redis.ts'
import { commonFailure } from './failure.ts'
import type { Mount } from './mount.ts'
import { cameThroughProxy } from './proxy-headers.ts'
import { probeProxies } from './proxy-probe.ts'

/** Fails on a read-only database, such as a former primary after a failover, without locking or writing. */
const askForChanges = 'select name from schema_migration limit 0 for key share'

/**
 * Fails on a full disk: sorts 0.3 MB with 64 kB of memory, so that PostgreSQL writes a temporary file beside its tables. Nothing
 * stays, and it takes a few milliseconds. A row that is rolled back would prove less: it may fit into a page that is there.
 */
async function proveRoom(db: Db): Promise<void> {
  await db.transaction(async tx => {
    await tx.query(`set local work_mem = '64kB'`)
    await tx.query(
      `select count(*) from (
         select repeat('x', 100) || n as text from generate_series(1, 2500) n order by text desc offset 0
       ) sorted`,
    )
  })
}

/** How long room on the disk counts as proved. A failed proof counts for one answer. */
const roomProvedMs = 10_000

/**
 * `/healthz`: the process runs; tells the doctor which proxies a request passed. `/readyz`: not stopping, and the database takes changes and has room for them. Redis is only
 * reported. The log says why the database is of no use, once until it is of use again.
 */
export function mountHealth(
  app: FastifyInstance,
  tools: {
    db: Db
    clock: Clock
    isStopping: () => boolean
    redis?: Pick<Redis, 'isAnswering'> | undefined
    /** `Keys.probe` */
    probeKey: Uint8Array
  },
): void {
  let provedUntilMs = 0
  let wasUsable = true
  const requireDatabase = async () => {
    await tools.db.query(askForChanges)
    const nowMs = tools.clock.now().getTime()
    if (nowMs < provedUntilMs) return
    await proveRoom(tools.db)
    provedUntilMs = nowMs + roomProvedMs
  }
  app.get('/healthz', { logLevel: 'silent' }, async request => {
    const proxies = probeProxies(request, tools.probeKey)
    return { status: 'ok', ...(proxies && { proxies }) }
  })
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    if (tools.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await requireDatabase()
    } catch (error) {
      if (wasUsable) app.log.error({ err: error }, 'not ready: the database cannot be used')
      wasUsable = false
      return reply.code(503).send({ status: 'database unavailable' })
    }
    if (!wasUsable) app.log.warn('ready again: the database can be used')
    wasUsable = true
    return tools.redis?.isAnswering() === false ? { status: 'degraded', redis: 'away' } : { status: 'ready' }
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
