import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import { connect as connectHttp2 } from 'node:http2'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { io } from 'socket.io-client'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { signAccessToken } from '#server/identity/access-token.ts'
import { systemClock } from '#server/process/clock.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { makeCertificate } from '#support/certificate.ts'
import { type Nginx, type NginxOptions, nginxIsMissing, startNginx } from '#support/nginx.ts'
import { endRuns, environment, run } from '#support/server-run.ts'
import { dribble, slowBody } from '#support/slow-clients.ts'
import { type StandInServer, startStandIn } from '#support/stand-in-server.ts'
import { findFreePort } from '#support/test-server.ts'
import { createWeb } from '#support/web.ts'

const script = `export const words = '${'well '.repeat(400)}'`
const page = `<!doctype html><title>Call</title>${'<p>words</p>'.repeat(200)}`
const policy = { scripts: ["'sha256-script='"], styles: ["'sha256-style='"] }

const site = mkdtempSync(join(tmpdir(), 'farline-nginx-site-'))
const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(join(site, path, '..'), { recursive: true })
  writeFileSync(join(site, path), content)
}
put('_astro/call.abc123.js', script)
put('_astro/call.abc123.js.br', brotliCompressSync(script))
put('_astro/call.abc123.js.gz', gzipSync(script))
put('_astro/small.abc123.js', 'export {}')
put('_astro/page.abc123.css', 'a{color:red}')
put('index.html', page)
put('call.html', page)
put('call.html.br', brotliCompressSync(page))
put('404.html', '<!doctype html><title>Not found</title>')
put('.server/csp.json', JSON.stringify({ '/call': policy, '/404': policy }))
afterAll(() => rmSync(site, { recursive: true, force: true }))

/** A visitor's own trace: whoever sent the like decided what we record. */
const trace = {
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  tracestate: 'vendor=visitor',
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** As it goes over the wire: nothing is unpacked, followed or added. */
function ask(
  port: number,
  path: string,
  headers: Record<string, string> = {},
  sent?: { method: string; body: string | Buffer },
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: '127.0.0.1', port, path, headers, method: sent?.method ?? 'GET' })
    outgoing.on('error', reject).on('response', response => {
      const parts: Buffer[] = []
      response
        .on('data', part => parts.push(part))
        .on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(parts) })
        })
    })
    outgoing.end(sent?.body)
  })
}

describe.skipIf(nginxIsMissing())('nginx as deploy/nginx sets it up', () => {
  const open: { close(): Promise<void> }[] = []
  afterEach(async () => {
    for (const one of open.splice(0).reverse()) await one.close()
  })
  const standIn = async (answer: Parameters<typeof startStandIn>[0]): Promise<StandInServer> => {
    const server = await startStandIn(answer)
    open.push(server)
    return server
  }
  const nginx = async (
    servers: readonly string[],
    options: Partial<NginxOptions> = {},
  ): Promise<Nginx & { port: number }> => {
    const port = await findFreePort()
    const started = await startNginx({ port, site, servers, ...options })
    open.push(started)
    return { ...started, port }
  }
  const nobody = async () => `127.0.0.1:${await findFreePort()}`

  test('is accepted by nginx without a warning', async () => {
    for (const accessLog of [true, false]) {
      const { checked, directory } = await nginx([await nobody()], { accessLog })
      expect(checked).toContain('test is successful')
      expect(checked).not.toMatch(/\[(?:warn|emerg)\]/)
      expect(readdirSync(directory).includes('access.log')).toBe(accessLog)
      // Nor is there one that happens to be called so.
      expect(readdirSync(directory)).not.toContain('off')
    }
  })

  test('hashed files come from the disk, compressed ahead, and are kept for good', async () => {
    const { port } = await nginx([await nobody()])
    const read = (encoding: string, path = '/_astro/call.abc123.js') =>
      ask(port, path, { 'accept-encoding': encoding })
    const brotli = await read('gzip, deflate, br')
    expect(brotli.status).toBe(200)
    expect(brotli.body).toEqual(brotliCompressSync(script))
    expect(brotli.headers).toMatchObject({
      'content-encoding': 'br',
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'Accept-Encoding',
      'x-content-type-options': 'nosniff',
    })
    const zipped = await read('gzip')
    expect([zipped.headers['content-encoding'], zipped.body]).toEqual(['gzip', gzipSync(script)])
    for (const refusing of ['identity', 'br;q=0', 'brother']) {
      const plain = await read(refusing)
      expect([plain.headers['content-encoding'], plain.body.toString()]).toEqual([undefined, script])
    }
    expect((await read('br', '/_astro/small.abc123.js')).headers['content-encoding']).toBeUndefined()
    const style = await read('br', '/_astro/page.abc123.css')
    expect([style.status, style.headers['content-type']]).toEqual([200, 'text/css; charset=utf-8'])
    const again = await ask(port, '/_astro/call.abc123.js', {
      'accept-encoding': 'br',
      'if-none-match': String(brotli.headers['etag']),
    })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('a hashed file of another release is found at the server that runs it', async () => {
    const without = await standIn((_request, response) => response.writeHead(404).end('not here'))
    const having = await standIn((_request, response) => response.end('of another release'))
    const { port } = await nginx([without.address, having.address])
    for (let turn = 0; turn < 4; turn += 1) {
      const { status, body } = await ask(port, '/_astro/old.def456.js')
      expect([status, body.toString()]).toEqual([200, 'of another release'])
    }
    expect(without.asked.length).toBeGreaterThan(0)
  })

  test('a page keeps the headers that its server gives it', async () => {
    const web = await createWeb({ siteDirectory: site, trustedProxies: 1, production: true })
    open.push(web)
    const direct = new URL(await web.app.listen({ port: 0, host: '127.0.0.1' }))
    const { port } = await nginx([direct.host])
    const head = { host: 'farline.example', 'accept-encoding': 'br' }
    for (const path of ['/call', '/nowhere', '/api/rates/US']) {
      const [own, behind] = [await ask(Number(direct.port), path, head), await ask(port, path, head)]
      const changing = { date: '', server: '', connection: '', 'keep-alive': '', 'x-request-id': '' }
      expect({ ...behind.headers, ...changing }).toEqual({ ...own.headers, ...changing })
      expect([behind.status, behind.body]).toEqual([own.status, own.body])
      expect(behind.headers['content-security-policy']).toContain("'sha256-script='")
    }
    const first = await ask(port, '/call', head)
    expect(first.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache' })
    const again = await ask(port, '/call', { ...head, 'if-none-match': String(first.headers['etag']) })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('sockets pass: live updates of a page, and the signalling of the local exchange', async () => {
    const secret = 'a secret that only this test knows, long enough'
    const env = await environment()
    const { port } = await nginx([`127.0.0.1:${env.PORT}`])
    open.push({ close: endRuns })
    const server = run({
      ...env,
      TOKEN_SECRET: secret,
      TRUSTED_PROXIES: '1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
    })
    await server.until(/ready/)
    const userId = randomUUID()
    const token = await signAccessToken(deriveKeys(secret).access, userId, systemClock)
    for (const transport of ['websocket', 'polling'] as const) {
      const page = io(`http://127.0.0.1:${port}`, {
        auth: { token },
        forceNew: true,
        transports: [transport],
      })
      await new Promise<void>((resolve, reject) =>
        page.once('connect', resolve).once('connect_error', reject),
      )
      expect(await page.timeout(5000).emitWithAck('register', userId)).toBe(true)
      page.close()
    }
    const signalling = new WebSocket(`ws://127.0.0.1:${port}/exchange/signal`)
    await once(signalling, 'open')
    signalling.terminate()
    expect(server.output()).not.toContain('X-Forwarded-For')
  })

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
      { error: { code: 'unavailable', message: 'We are busy for a moment. Please try again.' } },
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

  test('the server hears who asks, and nothing that the client says about that', async () => {
    const server = await standIn((_request, response) => response.end())
    const { port } = await nginx([server.address])
    await ask(port, '/', {
      host: 'farline.example',
      'x-forwarded-for': '192.0.2.9',
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      ...trace,
    })
    expect(server.asked[0]?.headers).toMatchObject({
      host: 'farline.example',
      'x-forwarded-for': '192.0.2.9, 127.0.0.1',
      'x-forwarded-proto': 'http',
    })
    await ask(port, '/socket.io/', { 'x-forwarded-host': 'evil.example', ...trace })
    for (const { headers } of server.asked) {
      for (const said of ['x-forwarded-host', ...Object.keys(trace)]) expect(headers).not.toHaveProperty(said)
    }
    expect(server.asked).toHaveLength(2)
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

  test('metrics are not for the public', async () => {
    const server = await standIn((_request, response) => response.end('calls_total 7'))
    const { port } = await nginx([server.address])
    expect((await ask(port, '/metrics')).status).toBe(404)
    expect(server.asked).toHaveLength(0)
  })

  test('plain HTTP is sent to https, and answers the certificate authority', async () => {
    const redirectPort = await findFreePort()
    const { directory } = await nginx([await nobody()], {
      redirect: { port: redirectPort, publicUrl: 'https://farline.example' },
    })
    const sent = await ask(redirectPort, '/calling/in?ref=friend', { host: 'evil.example' })
    expect([sent.status, sent.headers['location']]).toEqual([
      308,
      'https://farline.example/calling/in?ref=friend',
    ])
    const challenges = join(directory, 'acme', '.well-known', 'acme-challenge')
    mkdirSync(challenges, { recursive: true })
    writeFileSync(join(challenges, 'token'), 'answer')
    expect((await ask(redirectPort, '/.well-known/acme-challenge/token')).body.toString()).toBe('answer')
  })

  test('TLS: HTTP/2 is spoken, nothing older than TLS 1.2 is', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'farline-nginx-tls-'))
    const tls = makeCertificate(directory)
    if (tls === undefined) return console.log('SKIPPED: openssl, which makes a certificate, is not installed')
    const server = await standIn((_request, response) => response.end('over TLS'))
    const { port } = await nginx([server.address], { tls })
    const session = connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false })
    const stream = session.request({ ':path': '/' })
    let body = ''
    stream.setEncoding('utf8').on('data', text => (body += text))
    await once(stream, 'end')
    session.close()
    expect(body).toBe('over TLS')
    expect(server.asked[0]?.headers['x-forwarded-proto']).toBe('https')
    const old = connectTls({
      port,
      host: '127.0.0.1',
      rejectUnauthorized: false,
      maxVersion: 'TLSv1.1',
      minVersion: 'TLSv1',
      ciphers: 'DEFAULT@SECLEVEL=0',
    })
    const [refusal] = await once(old, 'error')
    expect(String(refusal)).toMatch(/protocol version/)
    rmSync(directory, { recursive: true })
  })
})
