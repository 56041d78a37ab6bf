import type { Server as HttpServer } from 'node:http'
import { Server } from 'socket.io'
import type { ClientEvents, ServerEvents } from '#lib/api/realtime.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../http/log.ts'
import { type Bearer, verifyAccessToken } from '../identity/access-token.ts'
import type { Redis } from '../redis/redis.ts'
import type { Notifier } from '../services/notifier.ts'
import { limitConnections } from './connection-limit.ts'

type SocketData = Bearer

export interface Sockets extends Notifier {
  /** Takes the HTTP server's socket.io traffic. `onRegister` runs when a page has said who it is. */
  open(server: HttpServer, onRegister: (userId: string) => Promise<void>): void
  /** How many sockets are open here. */
  count(): number
  /** The sessions that have a socket open here. */
  sessions(): string[]
  /** Closes the sockets of sessions that are over. */
  closeSessions(sessionIds: readonly string[]): void
  close(): Promise<void>
}

export interface SocketTools {
  readonly accessKey: Uint8Array
  readonly clock: Clock
  readonly publicUrl: string
  readonly log: Log
  /** Whether a session has ended, asked of every handshake that names one. */
  readonly sessionIsOver?: (sessionId: string) => Promise<boolean>
  /** Carries events to the pages on other processes. Without one, or while it is away, they reach those on this one. */
  readonly redis?: Redis | undefined
  /** How many proxies before this server tell the truth about who asks. */
  readonly trustedProxies?: number
}

/** Reliability row 38: no frame of ours comes near this. */
const largestFrameBytes = 16 * 1024

/**
 * Real-time hints over socket.io. Who a socket belongs to is decided by the access token of its
 * handshake (decision 23); it stays open when that token expires, so that a call outlives it, and is closed when its session
 * ends.
 */
export function createSockets(tools: SocketTools): Sockets {
  const { redis } = tools
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, SocketData>({
    serveClient: false,
    maxHttpBufferSize: largestFrameBytes,
    destroyUpgrade: false,
    // Who does not say within this time who they are.
    connectTimeout: 10_000,
    // Of several processes each poll would reach another one, which knows nothing of it (record 31).
    transports: redis === undefined ? ['websocket', 'polling'] : ['websocket'],
    ...(redis === undefined ? {} : { adapter: redis.socketAdapter }),
    allowRequest: (request, decide) => {
      decide(null, isOwnOrigin(request.headers, tools.publicUrl) && connections.admits(request))
    },
  })
  const connections = limitConnections(tools.trustedProxies ?? 0)
  io.use((socket, next) => {
    const { token } = socket.handshake.auth as { token?: unknown }
    if (typeof token !== 'string') return next(new Error('unauthorized'))
    void authenticate(tools, token).then(bearer => {
      if (bearer === undefined) return next(new Error('unauthorized'))
      Object.assign(socket.data, bearer)
      next()
    }, next)
  })

  const to = (userId: string) => io.to(`user:${userId}`)
  return {
    open: (server, onRegister) => {
      io.on('connection', socket => {
        socket.once('register', (userId, acknowledge) => {
          const accepted = userId === socket.data.userId
          if (typeof acknowledge === 'function') acknowledge(accepted)
          if (!accepted) {
            socket.disconnect(true)
            return
          }
          void socket.join(`user:${userId}`)
          onRegister(userId).catch((error: unknown) =>
            tools.log.error({ err: error }, 'greeting a socket failed'),
          )
        })
      })
      io.attach(server)
      io.engine.on('connection', connections.count)
    },
    count: () => io.sockets.sockets.size,
    sessions: () => [
      ...new Set([...io.sockets.sockets.values()].flatMap(({ data }) => data.sessionId ?? [])),
    ],
    closeSessions: sessionIds => {
      if (sessionIds.length === 0) return
      const over = new Set(sessionIds)
      for (const socket of io.sockets.sockets.values()) {
        if (socket.data.sessionId !== undefined && over.has(socket.data.sessionId)) socket.disconnect(true)
      }
    },
    balance: (userId, event) => to(userId).emit('balance', event),
    call: (userId, event) => to(userId).emit('call', event),
    callError: (userId, event) => to(userId).emit('call_error', event),
    close: async () => {
      // Those of this process: the pages of the others stay where they are.
      io.local.disconnectSockets(true)
      io.engine?.close()
    },
  }
}

async function authenticate(
  { accessKey, clock, sessionIsOver }: SocketTools,
  token: string,
): Promise<Bearer | undefined> {
  const bearer = await verifyAccessToken(accessKey, token, clock)
  if (bearer?.sessionId !== undefined && (await sessionIsOver?.(bearer.sessionId))) return undefined
  return bearer
}

/** Reliability row 41: a page of another site cannot open a socket with our visitors' browsers. */
function isOwnOrigin(
  headers: { origin?: string | undefined; host?: string | undefined },
  publicUrl: string,
): boolean {
  if (headers.origin === undefined) return true
  const host = URL.parse(headers.origin)?.host
  return host !== undefined && (host === headers.host || host === new URL(publicUrl).host)
}
