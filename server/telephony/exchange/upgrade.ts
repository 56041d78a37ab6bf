import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** An SDP offer of one audio stream is about 3 KB; this is room enough and no more. */
const mostFrameOctets = 64 * 1024

/**
 * Takes the WebSocket upgrades of one path, and leaves every other upgrade of the server alone. A page
 * of another origin is refused.
 * @returns a function that stops taking them
 */
export function acceptSockets(
  server: Server,
  path: string,
  onSocket: (socket: WebSocket) => void,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: mostFrameOctets,
  })
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (request.url?.split('?', 1)[0] !== path) return
    if (isSameOrigin(request)) sockets.handleUpgrade(request, stream, head, onSocket)
    else refuse(stream)
  }
  server.on('upgrade', onUpgrade)
  return () => {
    server.off('upgrade', onUpgrade)
  }
}

/** Browsers always send an Origin with a WebSocket; other programs need not. */
function isSameOrigin(request: IncomingMessage): boolean {
  const { origin, host } = request.headers
  if (origin === undefined) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

function refuse(stream: Duplex): void {
  stream.on('error', () => stream.destroy())
  stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n')
}
