import { Socket } from 'node:dgram'
import { Server as HttpServer } from 'node:http'
import { type Socket as Connection, Server } from 'node:net'

let lost = false
let udpClosed = false

/** Media over TCP: every incoming connection to a port other than the web server's. */
const connections = new Set<Connection>()

/**
 * While `on`, drops all packets of this process's UDP sockets in both directions, and closes media connections over
 * TCP. Patches the sockets below the WebRTC library, once per process. TCP connections made before the first call of
 * this function are not affected.
 */
export function loseSound(on: boolean): void {
  lost = on
  install()
  if (on) for (const connection of connections) connection.destroy()
}

/** Drops UDP only, like a network that allows only TCP. */
export function closeUdp(closed: boolean): void {
  udpClosed = closed
  install()
}

/** Impairment of media over UDP, in each direction; all zeros: none. */
export interface Damage {
  /** Packet loss in percent, evenly spread, in both directions. */
  readonly lossPercent: number
  /** Additional loss of incoming packets in percent: a bad uplink of the browser. */
  readonly lossInPercent: number
  /** Delay of sent media packets in milliseconds. */
  readonly delayMs: number
  /**
   * Max additional delay of sent media packets in milliseconds. It rises in six steps and starts again. If every
   * second packet were late, all late ones would be out of order, and browsers exclude those from their measured
   * jitter.
   */
  readonly jitterMs: number
}

const jitterSteps = 6

let damage: Damage = { lossPercent: 0, lossInPercent: 0, delayMs: 0, jitterMs: 0 }
/**
 * Counted by direction. An echo answers each packet with one, so that by a common count every lost packet would be of
 * the same direction.
 */
const lossDue = { in: 0, out: 0 }
let sentCount = 0

/** Impairs media packets. STUN and DTLS packets pass unchanged, so that connections can be set up. */
export function damageSound(next: Damage): void {
  damage = next
  install()
}

/** RTP and RTCP, by the first byte (RFC 7983, section 7). */
function isSound(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && (packet[0] ?? 0) >= 128 && (packet[0] ?? 0) <= 191
}

function isLostNow(direction: keyof typeof lossDue, percent: number): boolean {
  lossDue[direction] += percent
  if (lossDue[direction] < 100) return false
  lossDue[direction] -= 100
  return true
}

function sendLate(send: () => unknown): void {
  try {
    send()
  } catch {
    // The socket was closed meanwhile; the packet is lost.
  }
}

let installed = false
function install(): void {
  if (installed) return
  installed = true
  const { send, emit } = Socket.prototype
  Socket.prototype.send = function (this: Socket, ...given: unknown[]) {
    if (!lost && !udpClosed) {
      if (!isSound(given[0])) return Reflect.apply(send, this, given)
      const lateMs = damage.delayMs + (damage.jitterMs * (sentCount++ % jitterSteps)) / (jitterSteps - 1)
      if (damage.lossPercent === 0 && lateMs === 0) return Reflect.apply(send, this, given)
      if (!isLostNow('out', damage.lossPercent)) {
        setTimeout(() => sendLate(() => Reflect.apply(send, this, given)), lateMs)
        return
      }
    }
    const sent = given.at(-1)
    if (typeof sent === 'function') queueMicrotask(() => sent(null, 0))
  } as typeof send
  Socket.prototype.emit = function (this: Socket, ...given: unknown[]) {
    if ((lost || udpClosed) && given[0] === 'message') return true
    const lossPercent = damage.lossPercent + damage.lossInPercent
    if (given[0] === 'message' && lossPercent > 0 && isSound(given[1]) && isLostNow('in', lossPercent))
      return true
    return Reflect.apply(emit, this, given)
  } as typeof emit
  const { emit: announce } = Server.prototype
  Server.prototype.emit = function (this: Server, ...given: unknown[]) {
    const [event, connection] = given as [string, Connection]
    if (event === 'connection' && !(this instanceof HttpServer) && typeof this.address() === 'object') {
      if (lost) return connection.destroy() !== undefined
      connections.add(connection)
      connection.once('close', () => connections.delete(connection))
    }
    return Reflect.apply(announce, this, given)
  } as typeof announce
}
