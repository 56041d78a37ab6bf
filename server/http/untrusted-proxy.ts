import type { FastifyInstance } from 'fastify'
import type { Log } from './log.ts'

/**
 * Says once in the log that requests come through a proxy which we do not trust: behind one of our own, every visitor
 * has its address then, and limits by address hold for all of them together or, where it runs on this machine, for nobody.
 */
export function warnOfUntrustedProxy(app: FastifyInstance, trustedProxies: number, log: Log): void {
  if (trustedProxies > 0) return
  let warned = false
  app.addHook('onRequest', async request => {
    if (warned || request.headers['x-forwarded-for'] === undefined) return
    warned = true
    log.warn(
      'requests carry X-Forwarded-For, and TRUSTED_PROXIES is 0: is there a proxy in front? (docs/configuration.md)',
    )
  })
}
