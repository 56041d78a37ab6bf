import type { Server, Socket } from 'node:net'

/** Limits of one call's TCP port. A browser opens a connection for each of its own addresses. */
export const tcpBounds = {
  maxConnections: 8,
  /** Until the first frame: a browser checks the path at once. */
  firstFrameMs: 5000,
  /** Without an octet either way. Browsers check even a backup path more often. */
  idleMs: 45_000,
} as const

/** werift 0.25.2 limits no connections, keeps silent ones forever, and lets a failed `accept` end the process. */
export function boundTcp(server: Server): void {
  if (server.listeners('connection').includes(bound)) return
  server.maxConnections = tcpBounds.maxConnections
  server.on('error', () => undefined)
  server.on('connection', bound)
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

/** The length of a frame (RFC 4571), and a STUN message up to its magic cookie (RFC 8489, section 5). */
const framedHeader = 10
const magicCookie = 0x2112a442

function isFramedStun(head: Buffer): boolean {
  const startsWithZeroBits = (head[2] ?? 0xff) < 0x40
  return startsWithZeroBits && head.readUInt32BE(6) === magicCookie
}
