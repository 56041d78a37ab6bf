import { once } from 'node:events'
import type { Socket as ClientSocket } from 'socket.io-client'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { maxConnections } from '#server/http/connection-limit.ts'
import { disconnected, type SocketServer, settle, startSocketServer, transports } from './socket-server.ts'

let server: SocketServer
const floods: WebSocket[] = []
beforeEach(async () => {
  server = await startSocketServer()
})
afterEach(async () => {
  for (const socket of floods.splice(0)) socket.terminate()
  await server.close()
})

test.each(transports)('closes on a frame above 16 KB over %s, and not on one below', async transport => {
  const page = await server.connectAs('anna', { transports: [transport] })
  // An event nobody listens to: only its size can close the socket.
  const send = (length: number) => (page as ClientSocket).emit('unknown', 'x'.repeat(length))
  send(15 * 1024)
  await settle()
  expect(page.connected).toBe(true)
  const gone = disconnected(page)
  send(16 * 1024)
  expect(await gone).toMatch(/^transport (close|error)$/)
})

/** A connection of a flood: no token, no register, nothing. Resolves when it is open, or with its rejection. */
async function floodFrom(forwardedFor: string): Promise<WebSocket | string> {
  const socket = new WebSocket(
    `${server.address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`,
    {
      headers: { 'x-forwarded-for': forwardedFor },
    },
  )
  floods.push(socket)
  return new Promise(resolve => {
    socket.once('open', () => resolve(socket))
    socket.once('error', error => resolve(error.message))
  })
}

test('REL-38: limits the sockets of one address; other addresses, and the same one after it closed one, still can open more', async () => {
  const opened = await Promise.all(Array.from({ length: maxConnections }, () => floodFrom('203.0.113.5')))
  expect(opened.filter(socket => typeof socket === 'string')).toEqual([])
  expect(await floodFrom('203.0.113.5')).toBe('Unexpected server response: 400')
  // What a client says before our own proxy does counts for nothing.
  expect(await floodFrom('198.51.100.1, 203.0.113.5')).toBe('Unexpected server response: 400')
  expect(await floodFrom('203.0.113.6')).toBeInstanceOf(WebSocket)
  await server.connectAs('anna')
  floods[0]?.close()
  await expect.poll(async () => typeof (await floodFrom('203.0.113.5'))).toBe('object')
})

test('REL-38: frames of 1 MB end their sockets, and a page among them is served', async () => {
  const { page, heard } = await server.listenAs('anna')
  const flood = (await Promise.all(Array.from({ length: 50 }, (_, n) => floodFrom(`203.0.113.${n}`)))).filter(
    socket => typeof socket !== 'string',
  )
  expect(flood).toHaveLength(50)
  const frame = Buffer.alloc(1 << 20, 'x')
  const closed = Promise.all(flood.map(socket => once(socket, 'close')))
  for (const socket of flood) socket.send(frame)
  server.sockets.balance('anna', { credits: 1 })
  await closed
  await expect.poll(() => heard).toEqual([['balance', { credits: 1 }]])
  expect(page.connected).toBe(true)
})

test('a socket that says more than a page has to say is closed, and the others stay', async () => {
  const { page: quiet } = await server.listenAs('quiet')
  const { page: loud } = await server.listenAs('loud')
  const over = disconnected(loud)
  for (let time = 0; time < 30; time += 1) loud.emit('register', 'loud')
  expect(await over).toBe('io server disconnect')
  await settle()
  expect(quiet.connected).toBe(true)
})
