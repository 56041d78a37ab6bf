import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { isLoopback } from '../limits/origin.ts'
import { cameThroughProxy } from './proxy-headers.ts'

/** Stands for every visitor whose address our proxies do not say. Limits apply to all of them together. */
const unknownAddress = '0.0.0.0'

/**
 * Loopback is exempt from limits by address. A request that came through a proxy was not made on this machine: if its
 * address is loopback, TRUSTED_PROXIES is too low, or so high that the visitor wrote the address (ADR-74).
 */
export function knownAddress(address: string, headers: IncomingHttpHeaders): string {
  return isLoopback(address) && cameThroughProxy(headers) ? unknownAddress : address
}

/** A connection that is gone before its request is read has no address any more. Call before anything counts by it. */
export function nameGoneConnections(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    if ((request.ip as string | undefined) === undefined)
      Object.defineProperty(request, 'ip', { value: unknownAddress })
  })
}

/** Replaces `request.ip` before anything counts by it. For production: tests and developers forward from loopback. */
export function distrustForwardedLoopback(app: FastifyInstance): void {
  app.addHook('onRequest', async request => {
    const address = knownAddress(request.ip, request.headers)
    if (address !== request.ip) Object.defineProperty(request, 'ip', { value: address })
  })
}
