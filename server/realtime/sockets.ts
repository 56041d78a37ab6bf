import type { Server as HttpServer } from 'node:http'
import { Server } from 'socket.io'
import type { ClientEvents, ServerEvents } from '#lib/api/realtime.ts'
import { limitConnections } from '../http/connection-limit.ts'
import type { Log } from '../http/log.ts'
import type { AddressOfSocket, SocketRequest } from '../http/socket-address.ts'
import { type Bearer, verifyAccessToken } from '../identity/access-token.ts'
import type { Clock } from '../process/clock.ts'
import type { Redis } from '../redis/redis.ts'
import type { Notifier } from './notifier.ts'

export interface Sockets extends Notifier {
  /** Serves the HTTP server's socket.io traffic. `onRegister` runs when a page has identified its user. */
  open(server: HttpServer, onRegister: (userId: string) => Promise<void>): void
  count(): number
  sessions(): string[]
  closeSessions(sessionIds: readonly string[]): void
  close(): Promise<void>
}

export interface SocketTools {
  readonly accessKey: Uint8Array
  readonly clock: Clock
  readonly publicUrl: string
  readonly log: Log
  /** Whether a session has ended; checked at every handshake that names one. */
  readonly sessionIsOver?: (sessionId: string) => Promise<boolean>
  /** Carries events to the pages on other processes. Without it, or while it is away, they reach only those on this one. */
  readonly redis?: Redis | undefined
  readonly addressOf: AddressOfSocket
  readonly onForeignOrigin?: (request: SocketRequest) => void
}

/** A page identifies itself once. A socket that sends more than this is not one of our pages. */
const maxEvents = 20

/** Far above our largest frame (REL-38). */
const largestFrameBytes = 16 * 1024

/** The handshake's access token decides whose socket it is (PD-23). The socket outlives it, but not its session. */
export function createSockets(tools: SocketTools): Sockets {
  const { redis } = tools
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, Bearer>({
    serveClient: false,
    maxHttpBufferSize: largestFrameBytes,
    destroyUpgrade: false,
    connectTimeout: 10_000,
    // With several processes each poll would reach a different one (ADR-31).
    transports: redis === undefined ? ['websocket', 'polling'] : ['websocket'],
    ...(redis === undefined ? {} : { adapter: redis.socketAdapter }),
    allowRequest: (request, decide) => {
      const isOwn = isOwnOrigin(request.headers, tools.publicUrl)
      if (!isOwn) tools.onForeignOrigin?.(request)
      decide(null, isOwn && connections.admits(request))
    },
  })
  const connections = limitConnections(tools.addressOf)
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
        let events = 0
        socket.use((_event, next) => {
          events += 1
          if (events > maxEvents) socket.disconnect(true)
          else next()
        })
        socket.once('register', (userId, acknowledge) => {
          const accepted = userId === socket.data.userId
          if (typeof acknowledge === 'function') acknowledge(accepted)
          if (!accepted) {
            socket.disconnect(true)
            return
          }
          void socket.join(`user:${userId}`)
          onRegister(userId).catch((error: unknown) =>
            tools.log.error({ err: error }, 'sending the current state to a new socket failed'),
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
    verification: (userId, event) => to(userId).emit('verification', event),
    close: async () => {
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

/** Keeps pages of other sites from opening a socket in a visitor's browser (REL-41). */
function isOwnOrigin(
  headers: { origin?: string | undefined; host?: string | undefined },
  publicUrl: string,
): boolean {
  if (headers.origin === undefined) return true
  const host = URL.parse(headers.origin)?.host
  return host !== undefined && (host === headers.host || host === new URL(publicUrl).host)
}
