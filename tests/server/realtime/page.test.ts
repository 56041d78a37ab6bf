import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { createSockets, type Sockets } from '#server/realtime/sockets.ts'
import type { RealtimeHandlers } from '#session/realtime.ts'
import { createStoppedClock } from '#support/movable-clock.ts'
import { freshBrowser } from '../../support/fake-browser.ts'

/** The page's socket and the server's, the one over the other. */

const { access: accessKey } = deriveKeys('a secret that only this test knows, long enough')
const clock = createStoppedClock()
let server: Server
let sockets: Sockets
let registered: string[]
let refreshes: number
let heard: unknown[]
let close: () => void

async function start(port = 0): Promise<number> {
  server = createServer((request, response) => {
    if (request.url !== '/api/auth/refresh-token') return
    refreshes += 1
    void signAccessToken(accessKey, 'anna', clock).then(token => response.end(JSON.stringify({ token })))
  })
  const log = createLog('error', { write: () => undefined })
  sockets = createSockets({
    accessKey,
    clock,
    publicUrl: 'https://farline.example',
    log,
    addressOf: () => '127.0.0.1',
  })
  sockets.open(server, async userId => {
    registered.push(userId)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function stop(): Promise<void> {
  await sockets.close()
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
}

let port: number
beforeEach(async () => {
  registered = []
  refreshes = 0
  heard = []
  close = () => undefined
  port = await start()
  vi.resetModules()
  freshBrowser()
  const host = `127.0.0.1:${port}`
  vi.stubGlobal('location', { protocol: 'http:', hostname: '127.0.0.1', port: `${port}`, host })
  const realFetch = fetch
  vi.stubGlobal('fetch', (path: string, init?: RequestInit) =>
    realFetch(new URL(path, `http://${host}`), init),
  )
})
afterEach(async () => {
  close()
  await stop()
  vi.unstubAllGlobals()
})

/** A page that holds this token, whatever it is worth. */
async function openPage(token: string): Promise<void> {
  const [{ $session }, { openRealtime, showConnectionTrouble }] = await Promise.all([
    import('#session/session.ts'),
    import('#session/realtime.ts'),
  ])
  $session.set({ status: 'signed_in', token })
  const handlers: RealtimeHandlers = {
    balance: event => heard.push(['balance', event]),
    call: event => heard.push(['call', event]),
    callError: event => heard.push(['call_error', event]),
    reconnected: () => heard.push('reconnected'),
    isInCall: () => false,
    warnOfTrouble: showConnectionTrouble,
  }
  close = openRealtime('anna', handlers)
}

test('a page registers, hears what is its own, and registers again after the server hung up', async () => {
  await openPage(await signAccessToken(accessKey, 'anna', clock))
  await expect.poll(() => registered).toEqual(['anna'])
  sockets.balance('anna', { credits: 4.5 })
  sockets.callError('anna', { message: 'Your credits ran out.', callId: 'c1' })
  await expect
    .poll(() => heard)
    .toEqual([
      ['balance', { credits: 4.5 }],
      ['call_error', { message: 'Your credits ran out.', callId: 'c1' }],
    ])
  await stop()
  await start(port)
  await expect.poll(() => registered, { timeout: 10_000 }).toEqual(['anna', 'anna'])
  await expect.poll(() => heard.at(-1)).toBe('reconnected')
  expect(refreshes).toBe(0)
})

test('a page whose token the server no longer accepts has it renewed, and is let in', async () => {
  await openPage('an.old.token')
  await expect.poll(() => registered, { timeout: 10_000 }).toEqual(['anna'])
  expect(refreshes).toBe(1)
})
