import type { FastifyInstance } from 'fastify'
import type { Log } from './log.ts'

/** Behind an untrusted proxy all visitors share its address: limits apply to all together or, if local, to none. */
export function warnOfUntrustedProxy(app: FastifyInstance, trustedProxies: number, log: Log): void {
  if (trustedProxies > 0) return
  let warned = false
  app.addHook('onRequest', async request => {
    if (warned || request.headers['x-forwarded-for'] === undefined) return
    warned = true
    log.warn(
      'requests carry X-Forwarded-For, but TRUSTED_PROXIES is 0: is there a proxy in front? (docs/configuration.md)',
    )
  })
}
