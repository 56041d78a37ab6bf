import type { IncomingMessage } from 'node:http'
import { addressOf } from '../http/socket-address.ts'
import { isLoopback, networkOf } from '../limits/origin.ts'

/** Max sockets per address and process: enough for an office or carrier NAT, too few for a flood (REL-38). */
export const maxConnections = 250

export interface ConnectionLimit {
  admits(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean
  count(connection: {
    readonly request: IncomingMessage
    once(event: 'close', left: () => void): unknown
  }): void
}

/** Counts sockets per network. Loopback is not limited: behind an untrusted proxy everybody has that address. */
export function limitConnections(trustedProxies: number): ConnectionLimit {
  const open = new Map<string, number>()
  return {
    admits: request => {
      const address = addressOf(request, trustedProxies)
      return isLoopback(address) || (open.get(networkOf(address)) ?? 0) < maxConnections
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
