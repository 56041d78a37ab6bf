import type { FastifyInstance } from 'fastify'
import { site } from '#lib/api/site.ts'
import type { Db } from '../db/port.ts'
import type { Mount } from '../http/mount.ts'

/** `/healthz`: the process runs. `/readyz`: it may be sent work: the database answers and it is not stopping. */
export function mountHealth(app: FastifyInstance, tools: { db: Db; isStopping: () => boolean }): void {
  app.get('/healthz', { logLevel: 'silent' }, async () => ({ status: 'ok' }))
  app.get('/readyz', { logLevel: 'silent' }, async (_request, reply) => {
    if (tools.isStopping()) return reply.code(503).send({ status: 'stopping' })
    try {
      await tools.db.query('select 1')
      return { status: 'ready' }
    } catch {
      return reply.code(503).send({ status: 'database unavailable' })
    }
  })
}

/** What differs between a local installation and a real one, told to the pages. */
export function mountSite(
  mount: Mount,
  tools: { local: boolean; reviewUrl: string | undefined; google: boolean },
): void {
  mount(site, async () => ({
    localInbox: tools.local,
    reviewUrl: tools.reviewUrl ?? null,
    google: tools.google,
  }))
}
