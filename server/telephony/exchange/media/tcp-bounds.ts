import { Server, type Socket } from 'node:net'
import type { RTCPeerConnection } from 'werift'

/** What one call's TCP port bears. A browser opens a connection for each of its own addresses. */
export const tcpBounds = {
  mostConnections: 8,
  /** To say what it is: a browser checks the path at once. */
  firstFrameMs: 5000,
  /** Without an octet either way. Browsers check even a path in reserve more often than that. */
  idleMs: 45_000,
} as const

/**
 * Bounds the TCP ports of a connection that has gathered its candidates, each once: werift 0.25.2 takes any number of
 * connections, keeps silent ones for ever, and leaves a failing `accept` to end the process.
 */
export function boundTcp(connection: RTCPeerConnection): void {
  for (const server of listeners(connection)) {
    if (server.listeners('connection').includes(bound)) continue
    server.maxConnections = tcpBounds.mostConnections
    server.on('error', () => undefined)
    server.on('connection', bound)
  }
}

/** werift has no public way to them; a test notices when they are not found any more. */
function listeners(connection: RTCPeerConnection): readonly Server[] {
  return connection.iceTransports.flatMap(transport => {
    const protocols: readonly object[] = Reflect.get(transport.connection, 'protocols')
    return protocols.map(protocol => Reflect.get(protocol, 'server')).filter(one => one instanceof Server)
  })
}

function bound(socket: Socket): void {
  socket.setTimeout(tcpBounds.idleMs, () => socket.destroy())
  const timer = setTimeout(() => socket.destroy(), tcpBounds.firstFrameMs).unref()
  let head = Buffer.alloc(0)
  const look = (chunk: Buffer) => {
    head = Buffer.concat([head, chunk.subarray(0, framedHeader)])
    if (head.length < framedHeader) return
    socket.off('data', look)
    clearTimeout(timer)
    if (!isFramedStun(head)) socket.destroy()
  }
  socket.on('data', look)
  socket.once('close', () => clearTimeout(timer))
}

/** The length of a frame (RFC 4571), and a STUN message as far as its magic cookie (RFC 8489, section 5). */
const framedHeader = 10
const magicCookie = 0x2112a442

function isFramedStun(head: Buffer): boolean {
  const startsWithZeroBits = (head[2] ?? 0xff) < 0x40
  return startsWithZeroBits && head.readUInt32BE(6) === magicCookie
}
