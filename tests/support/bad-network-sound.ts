import { Socket } from 'node:dgram'
import { Server as HttpServer } from 'node:http'
import { type Socket as Connection, Server } from 'node:net'

let lost = false
let udpClosed = false

/** Connections of sound over TCP: everything that comes in on a port and is not the web server's. */
const connections = new Set<Connection>()

/**
 * Swallows every packet of this process's UDP sockets, in both directions, while `on`, and cuts sound over
 * TCP: a black hole for sound. Installed once for the process, below the library that speaks WebRTC. Sound
 * over TCP that began before the first call of this function is not known to it.
 */
export function loseSound(on: boolean): void {
  lost = on
  install()
  if (on) for (const connection of connections) connection.destroy()
}

/** Swallows UDP alone: a network that lets nothing but TCP through. */
export function closeUdp(closed: boolean): void {
  udpClosed = closed
  install()
}

/** What is done to sound on its way over UDP, in each direction; zeros: nothing. */
export interface Damage {
  /** Of each hundred packets so many are lost, evenly. */
  readonly lossPercent: number
  /** Of each hundred that come in so many more: a line that is bad on the way out of a browser alone. */
  readonly lossInPercent: number
  /** Each packet comes later by this, those of sound that we send alone. */
  readonly delayMs: number
  /**
   * They come later still by up to this, each by more than the one before, six steps in turn. Were every second one late, all
   * late ones would come out of order, and browsers leave those out of the jitter that they measure.
   */
  readonly jitterMs: number
}

const jitterSteps = 6

let damage: Damage = { lossPercent: 0, lossInPercent: 0, delayMs: 0, jitterMs: 0 }
let lossDue = 0
let sentCount = 0

/** Spoils sound without losing it altogether. Packets that set the path up are left alone. */
export function damageSound(next: Damage): void {
  damage = next
  install()
}

/** RTP and RTCP, by their first octet (RFC 7983, section 7). */
function isSound(packet: unknown): boolean {
  return Buffer.isBuffer(packet) && (packet[0] ?? 0) >= 128 && (packet[0] ?? 0) <= 191
}

function isLostNow(percent: number): boolean {
  lossDue += percent
  if (lossDue < 100) return false
  lossDue -= 100
  return true
}

/** The socket may be closed meanwhile. */
function sendLate(send: () => unknown): void {
  try {
    send()
  } catch {
    // What was late is lost.
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
      if (!isLostNow(damage.lossPercent)) {
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
    if (given[0] === 'message' && lossPercent > 0 && isSound(given[1]) && isLostNow(lossPercent)) return true
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
