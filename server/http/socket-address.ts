import type { IncomingMessage } from 'node:http'

export type SocketRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/** IP address of a socket request, as Fastify determines it for others: the one before the trusted proxies. */
export function addressOf({ headers, socket }: SocketRequest, trustedProxies: number): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  const hops = [
    socket.remoteAddress ?? '',
    ...forwarded
      .split(',')
      .map(hop => hop.trim())
      .filter(Boolean)
      .reverse(),
  ]
  return hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
}
