import type { IncomingMessage } from 'node:http'
import { limitConnections, maxConnections } from '../../http/connection-limit.ts'
import type { AddressOfSocket } from '../../http/socket-address.ts'
import { isLoopback, networkOf } from '../../limits/origin.ts'
import { partyId, type VoiceParty } from './tokens.ts'

/** Per process. A page shows its token as soon as its socket is open, so few wait for one at any moment. */
export const socketLimits = {
  perAddress: maxConnections,
  withoutTokenPerAddress: 50,
  /** Beyond it the one that has waited longest is closed: pages need milliseconds, a flood stays. */
  withoutToken: 1000,
  /** Each open dialler has one; a network that changes leaves another behind for some seconds. */
  perParty: 20,
} as const

interface Limited {
  /** Closes the socket at once. */
  drop(): void
}

/** Counts signalling sockets by address until they show a token, and by party from then on. */
export class SocketLimits<Socket extends Limited> {
  readonly #addressOf: AddressOfSocket
  readonly #all: ReturnType<typeof limitConnections>
  /** With the address, of IPv6 the /64. In the order in which they opened. */
  readonly #waiting = new Map<Socket, string>()
  readonly #waitingAt = new Map<string, number>()
  readonly #parties = new Map<Socket, string>()
  readonly #byParty = new Map<string, number>()

  constructor(addressOf: AddressOfSocket) {
    this.#addressOf = addressOf
    this.#all = limitConnections(addressOf)
  }

  /** Before the socket is opened. Loopback has no limits by address. */
  admits(request: IncomingMessage): boolean {
    const address = this.#addressOf(request)
    if (isLoopback(address)) return true
    const waiting = this.#waitingAt.get(networkOf(address)) ?? 0
    return waiting < socketLimits.withoutTokenPerAddress && this.#all.admits(request)
  }

  opened(
    socket: Socket,
    request: IncomingMessage,
    once: (event: 'close', left: () => void) => unknown,
  ): void {
    this.#all.count({ request, once })
    const network = networkOf(this.#addressOf(request))
    this.#waiting.set(socket, network)
    add(this.#waitingAt, network, 1)
    const [oldest] = this.#waiting.keys()
    if (this.#waiting.size > socketLimits.withoutToken && oldest !== undefined) {
      this.#stopWaiting(oldest)
      oldest.drop()
    }
  }

  /** The socket showed its first valid token. @returns false if its party has too many sockets */
  identified(socket: Socket, party: VoiceParty): boolean {
    // It closed meanwhile.
    if (!this.#waiting.has(socket)) return true
    const name = `${party.kind} ${partyId(party)}`
    if ((this.#byParty.get(name) ?? 0) >= socketLimits.perParty) return false
    this.#stopWaiting(socket)
    this.#parties.set(socket, name)
    add(this.#byParty, name, 1)
    return true
  }

  closed(socket: Socket): void {
    this.#stopWaiting(socket)
    const name = this.#parties.get(socket)
    if (this.#parties.delete(socket) && name !== undefined) add(this.#byParty, name, -1)
  }

  #stopWaiting(socket: Socket): void {
    const network = this.#waiting.get(socket)
    if (this.#waiting.delete(socket) && network !== undefined) add(this.#waitingAt, network, -1)
  }
}

function add(counts: Map<string, number>, name: string, change: 1 | -1): void {
  const count = (counts.get(name) ?? 0) + change
  if (count > 0) counts.set(name, count)
  else counts.delete(name)
}
