import type { IncomingMessage, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'

/** Ample: an SDP offer of one audio stream is about 3 KB. */
const maxFrameOctets = 64 * 1024

export interface SocketAcceptance {
  /** Whether this request may open one more socket; default: any. */
  readonly admits?: (request: IncomingMessage) => boolean
  readonly onSocket: (socket: WebSocket, request: IncomingMessage) => void
  readonly onForeignOrigin?: ((request: IncomingMessage) => void) | undefined
}

/** Takes the upgrades of one path from pages of our own origin. @returns a function that stops taking them */
export function acceptSockets(
  server: Server,
  path: string,
  { admits = () => true, onSocket, onForeignOrigin }: SocketAcceptance,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: maxFrameOctets,
  })
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer): void => {
    if (request.url?.split('?', 1)[0] !== path) return
    if (!isSameOrigin(request)) {
      rejectUpgrade(stream, '403 Forbidden')
      onForeignOrigin?.(request)
    } else if (admits(request)) {
      sockets.handleUpgrade(request, stream, head, socket => onSocket(socket, request))
    } else {
      rejectUpgrade(stream, '429 Too Many Requests')
    }
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

function rejectUpgrade(stream: Duplex, status: string): void {
  stream.on('error', () => stream.destroy())
  stream.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}
