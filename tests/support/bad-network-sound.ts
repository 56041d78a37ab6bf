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

let installed = false
function install(): void {
  if (installed) return
  installed = true
  const { send, emit } = Socket.prototype
  Socket.prototype.send = function (this: Socket, ...given: unknown[]) {
    if (!lost && !udpClosed) return Reflect.apply(send, this, given)
    const sent = given.at(-1)
    if (typeof sent === 'function') queueMicrotask(() => sent(null, 0))
  } as typeof send
  Socket.prototype.emit = function (this: Socket, ...given: unknown[]) {
    if ((lost || udpClosed) && given[0] === 'message') return true
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
