import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { nginxIsMissing } from '#support/nginx.ts'
import { dribble, slowBody } from '#support/slow-clients.ts'
import { ask, createFronts } from './behind-nginx.ts'

const site = mkdtempSync(join(tmpdir(), 'farline-nginx-site-'))
afterAll(() => rmSync(site, { recursive: true, force: true }))

describe.skipIf(nginxIsMissing())('nginx as deploy/nginx sets it up', () => {
  const { open, standIn, nginx, nobody, close } = createFronts(site)
  afterEach(close)

  test('sends to another server what may be repeated, and does once what changes something', async () => {
    const busy = await standIn((_request, response) =>
      response.writeHead(503, { 'retry-after': '2' }).end('busy'),
    )
    const well = await standIn((_request, response) => response.end('well'))
    const gone = await nobody()
    const { port } = await nginx([gone, well.address])
    for (let turn = 0; turn < 6; turn += 1)
      expect((await ask(port, '/api/rates')).body.toString()).toBe('well')

    const alone = await nginx([busy.address, busy.address])
    const before = busy.asked.length
    const refused = await ask(alone.port, '/api/calls', {}, { method: 'POST', body: '{}' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '2'])
    expect(busy.asked.length).toBe(before + 1)
  })

  test('does not report servers without their database as gone: the pages stay open', async () => {
    const server = () =>
      standIn((request, response) =>
        request.url?.startsWith('/api/') ? response.writeHead(503).end('busy') : response.end('a page'),
      )
    const { port } = await nginx([(await server()).address, (await server()).address])
    for (let turn = 0; turn < 20; turn += 1) expect((await ask(port, '/api/calls')).status).toBe(503)
    expect((await ask(port, '/')).body.toString()).toBe('a page')
  })

  test('one address has 500 sockets at a time; another one, and our own machines, have more', async () => {
    const held: Duplex[] = []
    const server = createServer()
    server.on('upgrade', (_request, stream) => {
      held.push(stream)
      stream.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const { port } = await nginx([address], { behindCdn: true })
    const statusOf = (visitor: string, path = '/exchange/signal') =>
      new Promise<number>((resolve, reject) => {
        const headers = { 'x-forwarded-for': visitor, connection: 'upgrade', upgrade: 'websocket' }
        const asked = request({ host: '127.0.0.1', port, path, headers })
        asked.on('upgrade', ({ statusCode = 0 }, stream) => {
          held.push(stream)
          resolve(statusCode)
        })
        asked.on('response', answer => {
          answer.resume()
          resolve(answer.statusCode ?? 0)
        })
        asked.on('error', reject).end()
      })
    const openFrom = (visitor: string) => Array.from({ length: 500 }, () => statusOf(visitor))
    expect(new Set(await Promise.all(openFrom('203.0.113.7')))).toEqual(new Set([101]))
    expect(await statusOf('203.0.113.7')).toBe(429)
    expect(await statusOf('203.0.113.7', '/socket.io/')).toBe(429)
    expect(await statusOf('203.0.113.8')).toBe(101)
    expect(new Set(await Promise.all(openFrom('10.0.0.9')))).toEqual(new Set([101]))
    expect(await statusOf('10.0.0.9')).toBe(101)
    for (const stream of held) stream.destroy()
    server.close()
  })

  test('tells clients that call the API without a pause to wait; others, webhooks and our own machines are not limited', async () => {
    const server = await standIn((_request, response) => response.end('well'))
    const { port } = await nginx([server.address], { behindCdn: true })
    const flood = async (path: string, visitor: string) => {
      const all = Array.from({ length: 400 }, () => ask(port, path, { 'x-forwarded-for': visitor }))
      return (await Promise.all(all)).filter(({ status }) => status === 429)
    }
    const refused = await flood('/api/rates', '203.0.113.7')
    expect(refused.length).toBeGreaterThan(0)
    expect(refused[0]?.headers).toMatchObject({ 'retry-after': '5', 'content-type': 'application/json' })
    expect(JSON.parse(String(refused[0]?.body))).toMatchObject({ error: { code: 'too_many_requests' } })
    expect((await ask(port, '/api/rates', { 'x-forwarded-for': '203.0.113.8' })).status).toBe(200)
    expect((await ask(port, '/', { 'x-forwarded-for': '203.0.113.7' })).status).toBe(200)
    expect(await flood('/api/webhooks/twilio/status', '203.0.113.7')).toEqual([])
    for (const ours of ['10.0.0.9', '127.0.0.1', '192.168.1.1'])
      expect(await flood('/api/rates', ours)).toEqual([])
  })

  test('a server that never got a request that changes something does not keep it from another', async () => {
    const well = await standIn((_request, response) => response.end('well'))
    const { port } = await nginx([await nobody(), well.address])
    for (let turn = 0; turn < 4; turn += 1) {
      const { body } = await ask(port, '/api/calls', {}, { method: 'POST', body: '{}' })
      expect(body.toString()).toBe('well')
    }
    expect(well.asked.length).toBe(4)
  })

  test('with every server gone, people and programs are told to try again, in the texts of the API', async () => {
    const { port, accessLog, errorLog } = await nginx([await nobody(), await nobody()])
    const api = await ask(port, '/api/rates?number=%2B14155550123')
    expect([api.status, api.headers['retry-after'], JSON.parse(api.body.toString())]).toEqual([
      503,
      '2',
      { error: { code: 'unavailable', message: 'We are busy right now. Please try again in a moment.' } },
    ])
    const people = await ask(port, '/verify-email?token=s3cr3t-t0ken')
    expect([
      people.status,
      people.headers['content-type'],
      people.headers['content-security-policy'],
    ]).toEqual([503, 'text/plain', "default-src 'none'"])
    await ask(port, '/reset-password/s3cr3t-t0ken')
    await expect.poll(accessLog).toContain('GET /reset-password/...')
    expect(accessLog()).toContain('GET /verify-email 503')
    expect(accessLog() + errorLog()).not.toMatch(/s3cr3t|4155550123|\b127\.0\.0\.1[^:]/)
  })

  test('a body that is too large never reaches a server, one of the largest size does', async () => {
    const server = await standIn((_request, response) => response.end())
    const { port } = await nginx([server.address])
    const send = (bytes: number) =>
      ask(port, '/api/contacts', {}, { method: 'POST', body: Buffer.alloc(bytes, 'x') })
    const refused = await send(64 * 1024 + 1)
    expect([refused.status, JSON.parse(refused.body.toString()).error.code]).toEqual([413, 'too_large'])
    expect(server.asked).toHaveLength(0)
    expect((await send(64 * 1024)).status).toBe(200)
  })

  test.each([
    ['half of a head', 'GET /api/rates HTTP/1.1\r\nHost: farline.example\r\n'],
    [
      'half of a body',
      'POST /api/calls HTTP/1.1\r\nHost: farline.example\r\nContent-Length: 100\r\n\r\n{"num',
    ],
  ])('a client that sends %s is cut off', async (_what, half) => {
    const server = await standIn((_request, response) => response.end())
    const { port } = await nginx([server.address], { clientTimeoutSeconds: 1 })
    const slow = connect(port, '127.0.0.1')
    const closed = new Promise(resolve =>
      slow
        .resume()
        .on('error', () => {})
        .once('close', resolve),
    )
    slow.write(half)
    await closed
  })

  test('limits a client that sends a byte now and then to the time that the server gives a request', async () => {
    const server = createServer({ requestTimeout: 1000, connectionsCheckingInterval: 100 })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    open.push({
      close: async () => {
        server.closeAllConnections()
        server.close()
      },
    })
    const { port } = await nginx([`127.0.0.1:${(server.address() as AddressInfo).port}`])
    const { heard } = await dribble(port, slowBody)
    expect(heard).toMatch(/^HTTP\/1\.1 408 /)
  })

  test('an nginx that runs out of connections writes no request down', async () => {
    const server = await standIn((_request, response) => void setTimeout(() => response.end(), 1000))
    const nearlyNone = await nginx([server.address], { workerConnections: 17 })
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async (_, turn) => {
        // One after the other, or those would be cut off that have asked for nothing yet.
        await new Promise(resolve => setTimeout(resolve, turn * 15))
        const answer = ask(nearlyNone.port, `/reset-password/a-secret-token-${turn}`)
        return answer.then(
          ({ status }) => status,
          () => 'cut off',
        )
      }),
    )
    // There was none to a server: nginx would say so at `alert`, and for which request.
    expect(statuses).toContain(500)
    expect(nearlyNone.errorLog()).not.toMatch(/a-secret-token|request:/)
    expect(nearlyNone.accessLog()).toMatch(/GET \/reset-password\/\.\.\. 500 /)
  })
})
