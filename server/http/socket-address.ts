import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { knownAddress } from './forwarded-loopback.ts'

export type SocketRequest = Pick<IncomingMessage, 'headers' | 'socket'>

/** IP address of whoever opens a socket, as limits count it. */
export type AddressOfSocket = (request: SocketRequest) => string

/** IP address of a socket request, as Fastify determines it for others: the one before the trusted proxies. */
export function addressOf(
  { headers, socket }: SocketRequest,
  { trustedProxies, production }: Pick<Config, 'trustedProxies' | 'production'>,
): string {
  const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',')
  const hops = [
    socket.remoteAddress ?? '',
    ...forwarded
      .split(',')
      .map(hop => hop.trim())
      .filter(Boolean)
      .reverse(),
  ]
  const address = hops[Math.min(trustedProxies, hops.length - 1)] ?? ''
  return production ? knownAddress(address, headers) : address
}
