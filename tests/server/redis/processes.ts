import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyInstance } from 'fastify'
import { io, type Socket } from 'socket.io-client'
import { createLog } from '#server/http/log.ts'
import { createRateLimitStore } from '#server/http/rate-limit.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { systemClock } from '#server/process/clock.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { createSockets, type Sockets } from '#server/realtime/sockets.ts'
import { openRedis, type Redis } from '#server/redis/redis.ts'

const keys = deriveKeys('a secret that only these tests know, long enough')

/** The limit of `/limited`, for each address. */
export const limit = 10
export const windowMs = 60_000

/** What one of several server processes has to do with Redis, over real ports. */
export interface Process {
  readonly url: string
  readonly app: FastifyInstance
  readonly sockets: Sockets
  readonly redis: Redis
  /** All that it has logged. */
  log(): string
  close(): Promise<void>
}

export async function startProcess(redisUrl: string): Promise<Process> {
  let logged = ''
  const log = createLog('info', { write: line => (logged += line) })
  const redis = openRedis(redisUrl, log)
  const sockets = createSockets({
    accessKey: keys.access,
    clock: systemClock,
    publicUrl: 'https://farline.example',
    log,
    redis,
    addressOf: () => '127.0.0.1',
  })
  const app = Fastify()
  await app.register(rateLimit, {
    global: false,
    store: createRateLimitStore({ clock: systemClock, key: keys.origin, redis }),
  })
  for (const path of ['/limited', '/other']) {
    app.get(path, { config: { rateLimit: { max: limit, timeWindow: windowMs } } }, async () => 'ok')
  }
  sockets.open(app.server, async () => {})
  app.server.listen(0, '127.0.0.1')
  await once(app.server, 'listening')
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    app,
    sockets,
    redis,
    log: () => logged,
    close: async () => {
      await sockets.close()
      app.server.closeAllConnections()
      app.server.close()
      await redis.close()
    },
  }
}

export interface Page {
  readonly socket: Socket
  readonly heard: unknown[]
}

/** A user's page on one of the processes. */
export async function openPage(at: Process, userId: string, transport = 'websocket'): Promise<Page> {
  const token = await signAccessToken(keys.access, userId, systemClock)
  const socket = io(at.url, { auth: { token }, forceNew: true, reconnection: false, transports: [transport] })
  const heard: unknown[] = []
  socket.onAny((name: string, event: unknown) => heard.push([name, event]))
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', error => {
      socket.disconnect()
      reject(error)
    })
  })
  await socket.timeout(2000).emitWithAck('register', userId)
  return { socket, heard }
}
