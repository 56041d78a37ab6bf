import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { register, verifyEmail } from '#lib/api/auth.ts'
import { calls } from '#lib/api/calls.ts'
import { me } from '#lib/api/me.ts'
import { numberRate } from '#lib/api/rates.ts'
import { answer, freshBrowser, refuse, serve } from '#support/fake-browser.ts'
import { buildPath, request } from './transport.ts'

beforeEach(() => {
  freshBrowser()
})
afterEach(() => vi.unstubAllGlobals())

test('escapes each parameter, a plus as %2B, and leaves out what is undefined', () => {
  expect(buildPath(numberRate.path, { params: { fullNumber: '+12125550100' } })).toBe(
    '/api/rates/number/%2B12125550100',
  )
  expect(buildPath('/api/calls/:id', { params: { id: '../me?x#y' } })).toBe('/api/calls/..%2Fme%3Fx%23y')
  expect(buildPath(calls.path, { query: { cursor: 'a+b&c' } })).toBe('/api/calls?cursor=a%2Bb%26c')
  expect(buildPath(calls.path, { query: { cursor: undefined } })).toBe('/api/calls')
})

test('a missing parameter is a bug, not a request', () => {
  expect(() => buildPath('/api/calls/:id', {})).toThrow('no value for :id')
})

test('reads an answer through its schema and sends the body as JSON', async () => {
  let sent = ''
  let type: string | undefined
  await serve((incoming, response, body) => {
    sent = body
    type = incoming.headers['content-type']
    answer(response, 202, {})
  })
  const result = await request(register, { body: { email: 'a@b.example', password: 'correct horse' } })
  expect(result).toEqual({ ok: true, value: {} })
  expect(JSON.parse(sent)).toEqual({ email: 'a@b.example', password: 'correct horse' })
  expect(type).toBe('application/json')
})

test('a rejection carries its code, message and status', async () => {
  await serve((_, response) => refuse(response, 410, 'link_expired'))
  expect(await request(verifyEmail, { body: { token: 'x' } })).toMatchObject({
    ok: false,
    code: 'link_expired',
    message: 'Refused: link_expired.',
    status: 410,
  })
})

test('a code outside the contract gives way to what the status says', async () => {
  await serve((_, response) => refuse(response, 503, 'tea_break'))
  expect(await request(me, {}, { token: 't' })).toMatchObject({ ok: false, code: 'unavailable', status: 503 })
})

test('an error page of something in between is a failure too', async () => {
  await serve((_, response) => {
    response.writeHead(502, { 'content-type': 'text/html' })
    response.end('<h1>Bad gateway</h1>')
  })
  const result = await request(me, {}, { token: 't' })
  expect(result).toMatchObject({ ok: false, code: 'unavailable', status: 502, body: null })
  expect(result.ok || result.message).toBe('Something went wrong. Please try again.')
})

test('an answer that breaks the contract is not passed on', async () => {
  await serve((_, response) => answer(response, 200, { id: 7 }))
  expect(await request(me, {}, { token: 't' })).toMatchObject({
    ok: false,
    code: 'unexpected_reply',
    status: 200,
  })
})

test('no server is `offline`, with status 0', async () => {
  const server = await serve(() => undefined)
  await server.close()
  expect(await request(me, {}, { token: 't' })).toMatchObject({ ok: false, code: 'offline', status: 0 })
})

test('a server that stays silent is a `timeout`, and one that stops halfway too', async () => {
  await serve((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.write('{"id":')
  })
  expect(await request(me, {}, { token: 't', timeoutMs: 50 })).toMatchObject({ ok: false, code: 'timeout' })
})

test('the caller can cancel', async () => {
  await serve(() => undefined)
  const cancel = new AbortController()
  const result = request(me, {}, { token: 't', signal: cancel.signal })
  cancel.abort()
  expect(await result).toMatchObject({ ok: false, code: 'aborted', status: 0 })
})

test('asks for answers in the language of the page', async () => {
  let asked: string | undefined
  await serve((incoming, response) => {
    asked = incoming.headers['accept-language']
    answer(response, 202, {})
  })
  vi.stubGlobal('document', { documentElement: { lang: 'es' } })
  await request(register, { body: { email: 'a@b.example', password: 'correct horse' } })
  expect(asked).toBe('es')
})

test('cookies go to this site alone, and nothing comes from a cache', async () => {
  const sent: RequestInit[] = []
  vi.stubGlobal('fetch', async (_: string, init: RequestInit) => {
    sent.push(init)
    return Response.json({})
  })
  await request(register, { body: { email: 'a@b.example', password: 'correct horse' } })
  expect(sent).toMatchObject([{ credentials: 'same-origin', cache: 'no-store', keepalive: false }])
})

test.each([
  ['90', 90_000],
  ['Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  ['-3', undefined],
])('a rejection says how long to wait if the server does: Retry-After %s', async (header, retryAfterMs) => {
  await serve((_, response) => {
    response.setHeader('retry-after', header)
    refuse(response, 429, 'too_many_requests')
  })
  const result = await request(me, {}, { token: 't' })
  expect(result.ok ? result : result.retryAfterMs).toBe(retryAfterMs)
})
