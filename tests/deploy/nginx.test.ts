import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect as connectHttp2 } from 'node:http2'
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
import { nginxIsMissing } from '#support/nginx.ts'
import { endRuns, environment, run } from '#support/server-run.ts'
import { findFreePort } from '#support/test-server.ts'
import { createWeb } from '#support/web.ts'
import { ask, createFronts } from './behind-nginx.ts'

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

describe.skipIf(nginxIsMissing())('nginx as deploy/nginx sets it up', () => {
  const { open, standIn, nginx, nobody, close } = createFronts(site)
  afterEach(close)

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
      // nginx cuts no ranges out of what it keeps.
      const ofServer = { 'accept-ranges': '', 'x-request-id': '' }
      const changing = { date: '', server: '', connection: '', 'keep-alive': '', ...ofServer }
      expect({ ...behind.headers, ...changing }).toEqual({ ...own.headers, ...changing })
      expect([behind.status, behind.body]).toEqual([own.status, own.body])
      expect(behind.headers['content-security-policy']).toContain("'sha256-script='")
    }
    const first = await ask(port, '/call', head)
    expect(first.headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache' })
    const again = await ask(port, '/call', { ...head, 'if-none-match': String(first.headers['etag']) })
    expect([again.status, again.body.length]).toEqual([304, 0])
  })

  test('asks for a page once a second at most, and keeps nothing that is private or no page', async () => {
    const server = await standIn((request, response) =>
      response
        .writeHead(200, {
          'content-type': request.url?.startsWith('/healthz') ? 'text/plain' : 'text/html; charset=utf-8',
          'cache-control': 'no-cache',
          etag: '"1"',
        })
        .end('a page'),
    )
    const { port, directory } = await nginx([server.address])
    const askOften = async (path: string) => {
      const before = server.asked.length
      const answers = await Promise.all(Array.from({ length: 20 }, () => ask(port, path)))
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
      return server.asked.length - before
    }
    expect((await ask(port, '/faq')).headers['cache-control']).toBe('no-cache')
    // A second may end between them.
    expect(await askOften('/faq')).toBeLessThan(3)
    expect((await ask(port, '/faq', { 'if-none-match': '"1"' })).status).toBe(304)
    for (const path of ['/faq?token=1', '/reset-password/secret', '/healthz'])
      expect(await askOften(path), path).toBe(20)
    const kept = readdirSync(join(directory, 'pages'), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    expect(kept.join('')).toContain('KEY: 127.0.0.1/faq')
    expect(kept.join('')).not.toMatch(/token|secret/)
    // nginx counts whole seconds, so that one takes up to two.
    await new Promise(resolve => setTimeout(resolve, 2100))
    const before = server.asked.length
    await ask(port, '/faq')
    await expect.poll(() => server.asked.length).toBe(before + 1)
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
    const [rejection] = await once(old, 'error')
    expect(String(rejection)).toMatch(/protocol version/)
    rmSync(directory, { recursive: true })
  })
})
