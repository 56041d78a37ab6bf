import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocketServer } from 'ws'
import { acceptSockets } from '#server/telephony/exchange/upgrade.ts'
import { Wire } from './phone.ts'

let server: Server
let host: string
let taken: number
let stop: () => void

beforeEach(async () => {
  taken = 0
  server = createServer((_, reply) => reply.writeHead(404).end())
  stop = acceptSockets(server, '/exchange/signal', {
    onSocket: socket => {
      taken += 1
      socket.close()
    },
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  host = `127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

test('handles its own path, with or without a query', async () => {
  await (await new Wire(host).open()).closed
  await (await new Wire(host, { path: '/exchange/signal?a=1' }).open()).closed
  expect(taken).toBe(2)
})

test('leaves every other path to other listeners', async () => {
  const others = new WebSocketServer({ noServer: true })
  const paths: (string | undefined)[] = []
  server.on('upgrade', (request, stream, head) => {
    if (request.url === '/exchange/signal') return
    paths.push(request.url)
    others.handleUpgrade(request, stream, head, socket => socket.close())
  })
  for (const path of ['/socket.io/', '/exchange', '/exchange/signal/more', '/exchange/signals']) {
    await (await new Wire(host, { path }).open()).closed
  }
  expect(paths).toEqual(['/socket.io/', '/exchange', '/exchange/signal/more', '/exchange/signals'])
  expect(taken).toBe(0)
})

test('accepts a page of our own and rejects a page of another origin', async () => {
  await (await new Wire(host, { origin: `http://${host}` }).open()).closed
  expect(taken).toBe(1)
  for (const origin of ['http://evil.example', 'null', 'http://127.0.0.1:1', `http://${host}.evil.example`]) {
    await expect(new Wire(host, { origin }).open()).rejects.toThrow('403')
  }
  expect(taken).toBe(1)
})

test('accepts nothing more after it was stopped', async () => {
  stop()
  await expect(new Wire(host).open()).rejects.toThrow()
  expect(taken).toBe(0)
})
