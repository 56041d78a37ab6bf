import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { createApp, type Ports } from '#server/app.ts'
import { createLog } from '#server/http/log.ts'

/** The web application around services: in development, without a site, a proxy and a log, unless said otherwise. */
export function openApp({
  config,
  ...ports
}: Pick<Ports, 'services'> &
  Partial<Omit<Ports, 'config'>> & { config?: Partial<Ports['config']> }): Promise<FastifyInstance> {
  return createApp({
    log: createLog('silent'),
    siteDirectory: mkdtempSync(join(tmpdir(), 'farline-no-site-')),
    isStopping: () => false,
    ...ports,
    config: { production: false, trustedProxies: 0, reviewUrl: undefined, ...config },
  })
}
