import type { IncomingMessage } from 'node:http'
import { isLoopback, networkOf } from '../limits/origin.ts'
import type { AddressOfSocket } from './socket-address.ts'

/** Max sockets per address and process: enough for an office or carrier NAT, too few for a flood (REL-38). */
export const maxConnections = 250

export interface ConnectionLimit {
  admits(request: Pick<IncomingMessage, 'headers' | 'socket'>): boolean
  count(connection: {
    readonly request: IncomingMessage
    once(event: 'close', left: () => void): unknown
  }): void
}

/** Counts sockets per address, of IPv6 per /64. Loopback is not limited. */
export function limitConnections(addressOf: AddressOfSocket): ConnectionLimit {
  const open = new Map<string, number>()
  return {
    admits: request => {
      const address = addressOf(request)
      return isLoopback(address) || (open.get(networkOf(address)) ?? 0) < maxConnections
    },
    count: connection => {
      const network = networkOf(addressOf(connection.request))
      open.set(network, (open.get(network) ?? 0) + 1)
      connection.once('close', () => {
        const left = (open.get(network) ?? 1) - 1
        if (left > 0) open.set(network, left)
        else open.delete(network)
      })
    },
  }
}
