import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Socket as ClientSocket, io, type ManagerOptions, type SocketOptions } from 'socket.io-client'
import { expect } from 'vitest'
import type { ClientEvents, ServerEvents } from '#lib/api/realtime.ts'
import { createLog } from '#server/http/log.ts'
import { type AddressOfSocket, addressOf } from '#server/http/socket-address.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { createSockets } from '#server/realtime/sockets.ts'
import { createStoppedClock } from '#support/movable-clock.ts'

type Page = ClientSocket<ServerEvents, ClientEvents>
export type Options = Partial<ManagerOptions & SocketOptions>
export type SocketServer = Awaited<ReturnType<typeof startSocketServer>>

export const accessKey = deriveKeys('a secret that only this test knows, long enough').access
export const publicUrl = 'https://farline.example'
export const transports = ['websocket', 'polling'] as const

/** The sockets alone, with the pages that connect to them. */
export async function startSocketServer() {
  const clock = createStoppedClock()
  const pages: Page[] = []
  /** What was logged, and whom it greeted; what greeting does is for the test to say. */
  const seen = { logged: '', greeted: [] as string[], greet: async (_userId: string) => {} }
  const server = createServer()
  const log = createLog('error', {
    write: line => {
      seen.logged += line
    },
  })
  const overSessions = new Set<string>()
  const sessionIsOver = async (id: string) => overSessions.has(id)
  const addressOfSocket: AddressOfSocket = request =>
    addressOf(request, { trustedProxies: 1, production: false })
  const sockets = createSockets({
    accessKey,
    clock,
    publicUrl,
    log,
    sessionIsOver,
    addressOf: addressOfSocket,
  })
  sockets.open(server, userId => {
    seen.greeted.push(userId)
    return seen.greet(userId)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  /** A page's socket, and how the handshake went: 'connected', or why not. */
  async function connect(options: Options): Promise<{ page: Page; outcome: string }> {
    const page: Page = io(address, {
      forceNew: true,
      reconnection: false,
      transports: ['websocket'],
      ...options,
    })
    pages.push(page)
    const outcome = await new Promise<string>(resolve => {
      page.once('connect', () => resolve('connected'))
      page.once('connect_error', error => resolve(error.message))
    })
    return { page, outcome }
  }

  async function connectAs(userId: string, options: Options = {}): Promise<Page> {
    const token = await signAccessToken(accessKey, userId, clock)
    const { page, outcome } = await connect({ auth: { token }, ...options })
    expect(outcome).toBe('connected')
    return page
  }

  function register(page: Page, userId: string): Promise<boolean> {
    return page.timeout(2000).emitWithAck('register', userId)
  }

  /** Registered under its own id, and what was pushed to it since. */
  async function listenAs(userId: string, options: Options = {}): Promise<{ page: Page; heard: unknown[] }> {
    const page = await connectAs(userId, options)
    const heard: unknown[] = []
    page.onAny((name: string, event: unknown) => heard.push([name, event]))
    expect(await register(page, userId)).toBe(true)
    return { page, heard }
  }

  async function close() {
    for (const page of pages.splice(0)) page.disconnect()
    await sockets.close()
    server.closeAllConnections()
    server.close()
  }

  return { clock, sockets, address, seen, overSessions, connect, connectAs, register, listenAs, close }
}

/** Long enough for whatever was under way between this process and itself. */
export const settle = () => new Promise(resolve => setTimeout(resolve, 60))

export const disconnected = (page: Page) => new Promise<string>(resolve => page.once('disconnect', resolve))
