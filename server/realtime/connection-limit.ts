import type { IncomingMessage } from 'node:http'
import { isLoopback, networkOf } from '../services/calls/origin.ts'

/** Open at once from one address in one process: an office or a carrier's many behind one, and no flood (reliability row 38). */
export const mostConnections = 250

export interface ConnectionLimit {
  /** Whether whoever asks may open one more. */
  admits(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean
  /** One was opened. */
  count(connection: {
    readonly request: IncomingMessage
    once(event: 'close', left: () => void): unknown
  }): void
}

/**
 * Counts the sockets of each address. This very machine is not limited: nobody floods themselves, and a proxy that is not
 * trusted hides everybody behind it.
 * @param trustedProxies how many proxies before this server tell the truth about who asks
 */
export function limitConnections(trustedProxies: number): ConnectionLimit {
  const open = new Map<string, number>()
  return {
    admits: request => {
      const address = addressOf(request, trustedProxies)
      return isLoopback(address) || (open.get(networkOf(address)) ?? 0) < mostConnections
    },
    count: connection => {
      const network = networkOf(addressOf(connection.request, trustedProxies))
      open.set(network, (open.get(network) ?? 0) + 1)
      connection.once('close', () => {
        const left = (open.get(network) ?? 1) - 1
        if (left > 0) open.set(network, left)
        else open.delete(network)
      })
    },
  }
}

/** As Fastify finds it for a request: the one before the trusted proxies. */
function addressOf(
  { headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>,
  trustedProxies: number,
): string {
  const told = [headers['x-forwarded-for'] ?? []].flat().join(',')
  const hops = [
    socket.remoteAddress ?? '',
    ...told
      .split(',')
      .map(hop => hop.trim())
      .filter(Boolean)
      .reverse(),
  ]
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
}
