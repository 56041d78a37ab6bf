// @module-tag one-engine
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { createWeb, password } from '#support/web.ts'

const page = `<!doctype html><title>Call</title>${'<p>words</p>'.repeat(200)}`
const siteDirectory = mkdtempSync(join(tmpdir(), 'farline-site-'))
const hashes = {
  '/': { scripts: ["'sha256-home='"], styles: [] },
  '/call': { scripts: ["'sha256-script='"], styles: ["'sha256-style='"] },
  '/reset-password': { scripts: ["'sha256-reset='"], styles: [] },
  '/404': { scripts: ["'sha256-lost='"], styles: [] },
  '/es/reset-password': { scripts: ["'sha256-cambiar='"], styles: [] },
  '/es/404': { scripts: ["'sha256-perdida='"], styles: [] },
}

const put = (path: string, content: string | Uint8Array) => {
  mkdirSync(join(siteDirectory, path, '..'), { recursive: true })
  writeFileSync(join(siteDirectory, path), content)
}
put('index.html', '<!doctype html><title>Farline</title>')
put('404.html', '<!doctype html><title>Not found</title>')
put('es/404.html', '<!doctype html><title>No encontrada</title>')
put('es/reset-password.html', page)
put('call.html', page)
put('call.html.br', brotliCompressSync(page))
put('reset-password.html', page)
put('reset-password.html.br', brotliCompressSync(page))
put('_astro/call.abc123.js', 'export {}')
put('og/calling/in.png', 'a picture')
put('site.webmanifest', '{}')
put('favicon.ico', 'an icon')
put('robots.txt', 'User-agent: *')
put('dev/inbox.html', '<!doctype html><title>Inbox</title>')
const builtFor = 'http://localhost:4321'
const addressed = `<!doctype html><link rel="canonical" href="${builtFor}/about">${'<p>words</p>'.repeat(200)}`
put('about.html', addressed)
put('about.html.br', brotliCompressSync(addressed))
put('rates.json', `{"source":"${builtFor}/destinations"}`)
put('sounds/tone.wav', builtFor)
put('.server/csp.json', JSON.stringify(hashes))
put('.server/build.json', JSON.stringify({ publicUrl: builtFor }))
const local = keepForFile(await createWeb({ siteDirectory }))
const production = keepForFile(await createWeb({ siteDirectory, production: true }))

test('a page is served at its clean address, compressed ahead, with an ETag that saves the second transfer', async () => {
  const first = await local.app.inject({ url: '/call', headers: { 'accept-encoding': 'br' } })
  expect([first.statusCode, first.headers['content-encoding']]).toEqual([200, 'br'])
  expect(first.rawPayload).toEqual(brotliCompressSync(page))
  const again = await local.app.inject({
    url: '/call',
    headers: { 'accept-encoding': 'br', 'if-none-match': String(first.headers.etag) },
  })
  expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0])
})

test('a server on another port than the site was built for names its own address in what it sends', async () => {
  const publicUrl = 'http://localhost:14321'
  const { app } = keepForFile(await createWeb({ siteDirectory, publicUrl, publicUrlFromPort: true }))
  const expected = addressed.replace(builtFor, publicUrl)
  const headers = { 'accept-encoding': 'br', range: 'bytes=0-9' }
  // The second time from memory, the third from the file again.
  for (const url of ['/about', '/about', '/about?x=1']) {
    const page = await app.inject({ url, headers })
    expect([page.statusCode, page.body]).toEqual([200, expected])
    expect(page.headers).toMatchObject({
      'content-length': String(expected.length),
      etag: expect.any(String),
    })
    for (const name of ['content-encoding', 'accept-ranges']) expect(page.headers[name]).toBeUndefined()
    const { etag } = page.headers
    const again = await app.inject({ url, headers: { ...headers, 'if-none-match': String(etag) } })
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, '', etag])
    const head = await app.inject({ method: 'HEAD', url, headers })
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, '', etag])
    expect([undefined, String(expected.length)]).toContain(head.headers['content-length'])
  }
  expect((await app.inject('/rates.json')).json()).toEqual({ source: `${publicUrl}/destinations` })
  const sound = await app.inject({ url: '/sounds/tone.wav', headers })
  expect([sound.statusCode, sound.body]).toEqual([206, builtFor.slice(0, 10)])
})

test('a page that was built for the address of its server, or for one that was given, is sent as it is', async () => {
  for (const options of [
    { publicUrl: builtFor, publicUrlFromPort: true },
    { publicUrl: 'http://localhost:14321', publicUrlFromPort: false },
  ]) {
    const { app } = keepForFile(await createWeb({ siteDirectory, ...options }))
    const page = await app.inject({ url: '/about', headers: { 'accept-encoding': 'br' } })
    expect([page.headers['content-encoding'], page.rawPayload]).toEqual(['br', brotliCompressSync(addressed)])
  }
})

test.each(['br', 'identity'])(
  'the page of a reset link is the same for all tokens, and passes its token on to nobody (%s)',
  async encoding => {
    for (const url of [
      '/reset-password',
      '/reset-password/s3cr3t-t0ken',
      '/reset-password/s3cr3t-t0ken?x=1',
    ]) {
      const { statusCode, headers, raw } = await local.app.inject({
        url,
        headers: { 'accept-encoding': encoding },
      })
      expect([statusCode, headers['referrer-policy']]).toEqual([200, 'no-referrer'])
      expect(headers['content-security-policy']).toContain("'sha256-reset='")
      expect(raw.req.url).toBe('/reset-password.html')
    }
    const other = await local.app.inject({ url: '/call' })
    expect(other.headers['referrer-policy']).toBe('strict-origin-when-cross-origin')
  },
)

test('hashed files are kept for good, pages are revalidated, answers of the API are not kept', async () => {
  const cacheControl = async (url: string) => (await local.app.inject({ url })).headers['cache-control']
  expect(await cacheControl('/_astro/call.abc123.js')).toBe('public, max-age=31536000, immutable')
  expect(await cacheControl('/call')).toBe('no-cache')
  expect(await cacheControl('/api/rates/US')).toBe('no-store')
})

test.each([
  ['/og/calling/in.png', 'image/png'],
  ['/site.webmanifest', 'application/manifest+json'],
  ['/favicon.ico', 'image/vnd.microsoft.icon'],
  ['/robots.txt', 'text/plain; charset=utf-8'],
])('%s is sent as %s', async (url, type) => {
  const { headers } = await local.app.inject({ url })
  expect([headers['content-type'], headers['cache-control']]).toEqual([type, 'no-cache'])
})

test('other sites may embed pictures of shared links, and nothing else', async () => {
  const policyOf = async (url: string) =>
    (await local.app.inject({ url })).headers['cross-origin-resource-policy']
  expect(await policyOf('/og/calling/in.png')).toBe('cross-origin')
  expect(await policyOf('/call')).toBe('same-origin')
})

test('an unknown address is the not-found page for people and a code for programs', async () => {
  const lost = await local.app.inject({ url: '/nowhere' })
  expect([lost.statusCode, lost.body]).toEqual([404, expect.stringContaining('Not found')])
  const api = await local.app.inject({ url: '/api/nowhere' })
  expect([api.statusCode, api.json().error.code]).toEqual([404, 'not_found'])
})

test('a language has its own not-found page and its own page for reset links', async () => {
  const lost = await local.app.inject({ url: '/es/nada?x=1' })
  expect([lost.statusCode, lost.body]).toEqual([404, expect.stringContaining('No encontrada')])
  expect(lost.headers['content-security-policy']).toContain("'sha256-perdida='")
  const unknown = await local.app.inject({ url: '/xx/nothing' })
  expect([unknown.statusCode, unknown.body]).toEqual([404, expect.stringContaining('Not found')])
  const reset = await local.app.inject({ url: '/es/reset-password/s3cr3t-t0ken' })
  expect([reset.statusCode, reset.headers['referrer-policy']]).toEqual([200, 'no-referrer'])
  expect(reset.headers['content-security-policy']).toContain("'sha256-cambiar='")
  expect(reset.raw.req.url).toBe('/es/reset-password.html')
})

test.each(['/.server/csp.json', '/%2e%2e/package.json', '/..%2fpackage.json'])(
  'serves no page that is not one: %s',
  async url => {
    expect((await local.app.inject({ url })).statusCode).toBeGreaterThanOrEqual(400)
  },
)

test('every answer carries the security headers; inline code is allowed by hash only', async () => {
  for (const url of ['/call', '/nowhere', '/api/rates/US', '/healthz']) {
    const { headers } = await local.app.inject({ url })
    const policy = String(headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toMatch(/script-src 'self' 'sha256-\w+=';/)
    expect(policy).toMatch(/style-src 'self' (?:'sha256-\w+=')?;/)
    expect(policy).toContain("frame-ancestors 'none';base-uri 'none';form-action 'self'")
    expect(policy).not.toMatch(/unsafe|\*/)
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': 'microphone=(self), screen-wake-lock=(self), camera=(), geolocation=()',
    })
    expect(headers['strict-transport-security']).toBeUndefined()
  }
})

test('the local inbox exists outside production only', async () => {
  for (const url of ['/dev/inbox', '/dev/inbox.json', '/dev/letters.json', '/dev/letters/receiptEmail']) {
    expect((await local.app.inject({ url })).statusCode).toBe(200)
    expect((await production.app.inject({ url })).statusCode).toBe(404)
  }
  expect((await production.app.inject({ url: '/api/site' })).json()).toEqual({
    localInbox: false,
    reviewUrl: null,
    google: false,
  })
})

test('behind TLS: secure cookies that no subdomain can set, HSTS, and sockets over TLS', async () => {
  const secure = await createWeb({ publicUrl: 'https://farline.example' })
  try {
    const page = await secure.app.inject({ url: '/api/rates/US' })
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
    expect(page.headers['content-security-policy']).toContain('wss://farline.example')
    const user = await secure.addUser()
    const login = await secure.app.inject({
      method: 'POST',
      url: '/api/auth/login',
      payload: { email: user.email, password },
    })
    expect(String(login.headers['set-cookie'])).toMatch(
      /^__Host-refresh=.*; Path=\/; .*HttpOnly; Secure; SameSite=Strict/,
    )
  } finally {
    await secure.close()
  }
})

test('a page allows its own inline code alone; what is no page allows that of the not-found page', async () => {
  const allowed = async (url: string) =>
    String((await local.app.inject({ url })).headers['content-security-policy']).match(/sha256-\w+/g)
  expect(await allowed('/call?country=in')).toEqual(['sha256-script', 'sha256-style'])
  expect(await allowed('/call.html')).toEqual(['sha256-script', 'sha256-style'])
  expect(await allowed('/')).toEqual(['sha256-home'])
  expect(await allowed('/nowhere')).toEqual(['sha256-lost'])
  expect(await allowed('/toString')).toEqual(['sha256-lost'])
})

test('a build under a running server changes the allowed inline code and the pages together', async () => {
  const before = await local.app.inject({ url: '/call' })
  writeFileSync(
    join(siteDirectory, '.server/csp.json'),
    JSON.stringify({ ...hashes, '/new': { scripts: ["'sha256-other='"], styles: [] } }),
  )
  writeFileSync(join(siteDirectory, 'new.html'), '<!doctype html><title>New</title>')
  local.clock.advance(1000)
  const after = await local.app.inject({ url: '/new' })
  expect(String(before.headers['content-security-policy'])).toContain('sha256-script=')
  expect(String(after.headers['content-security-policy'])).toContain('sha256-other=')
  expect(after.statusCode).toBe(200)
})

test('the second answer for a page is the first one again, whatever was asked before', async () => {
  const ask = async (method: 'GET' | 'HEAD', encoding: string) => {
    const { statusCode, headers, rawPayload } = await local.app.inject({
      method,
      url: '/call',
      headers: { 'accept-encoding': encoding },
    })
    const { date: _, ...others } = headers
    return { statusCode, headers: others, body: rawPayload }
  }
  const plain = await ask('GET', 'identity')
  const first = await ask('GET', 'br')
  expect([plain.body, first.body]).toEqual([Buffer.from(page), brotliCompressSync(page)])
  expect(await ask('GET', 'br')).toEqual(first)
  expect(await ask('HEAD', 'br')).toEqual({ ...first, body: Buffer.alloc(0) })
  expect(await ask('GET', 'identity')).toEqual(plain)
})

test('a page that was sent before a build is not sent after it', async () => {
  const read = async () =>
    (await local.app.inject({ url: '/call', headers: { 'accept-encoding': 'gzip' } })).body
  expect([await read(), await read()]).toEqual([page, page])
  put('call.html', '<!doctype html><title>Built anew</title>')
  // Sent from memory until a build has ended.
  expect(await read()).toBe(page)
  put('.server/csp.json', JSON.stringify(hashes))
  local.clock.advance(1000)
  expect(await read()).toContain('Built anew')
  put('call.html', page)
  put('.server/csp.json', JSON.stringify(hashes))
  local.clock.advance(1000)
})

test('an address that cannot be read gets the same kind of answer', async () => {
  const answer = await local.app.inject({ url: '/%zz' })
  expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'invalid_request'])
  expect(answer.headers['content-security-policy']).toBe("default-src 'none'")
})

test.each([
  ['a body that is too large', JSON.stringify({ email: 'a'.repeat(70_000) }), 413],
  ['a body of 100 MB', Buffer.alloc(100 * 1024 * 1024, ' '), 413],
  ['a body that is no JSON', '{', 400],
  ['JSON of many levels', `{"email":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 400],
  ['JSON of many levels of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`, 400],
  ['a poisoned constructor', '{"constructor":{"prototype":{"admin":true}}}', 400],
  ['a poisoned prototype further down', '{"email":{"__proto__":{"admin":true}}}', 400],
  ['a poisoned prototype', '{"__proto__":{"admin":true}}', 400],
])('rejects %s with a code', async (_what, payload, status) => {
  const answer = await local.app.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'content-type': 'application/json' },
    payload,
  })
  expect([answer.statusCode, typeof answer.json().error.code]).toEqual([status, 'string'])
})

test('a forged X-Forwarded-For does not get around the limit', async () => {
  const proxied = await createWeb({ trustedProxies: 1 })
  const statuses = new Set<number>()
  for (let count = 0; count < 61; count += 1) {
    const answer = await proxied.app.inject({
      method: 'POST',
      url: '/api/auth/verify-email',
      payload: { token: 'guess' },
      headers: { 'x-forwarded-for': `198.51.100.${count}, 203.0.113.9` },
    })
    statuses.add(answer.statusCode)
  }
  await proxied.close()
  expect([...statuses]).toEqual([410, 429])
})

test('too many attempts are slowed down, with when to try again', async () => {
  const attempt = () =>
    local.app.inject({
      method: 'POST',
      url: '/api/auth/verify-email',
      payload: { token: 'guess' },
      remoteAddress: '203.0.113.9',
    })
  const statuses: number[] = []
  for (let count = 0; count < 61; count += 1) statuses.push((await attempt()).statusCode)
  expect([statuses.at(-2), statuses.at(-1)]).toEqual([410, 429])
  expect(Number((await attempt()).headers['retry-after'])).toBeGreaterThan(0)
})
