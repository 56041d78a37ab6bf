import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { OpsOverview } from '#lib/api/ops.ts'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from '#support/fake-browser.ts'

const overview: OpsOverview = {
  at: '2026-03-01T12:00:00.000Z',
  operator: 'Anna',
  processes: [],
  redis: 'not_configured',
  providers: [],
  liveCalls: { placed: 0, ringing: 0, answered: 0 },
  meterDueSeconds: 0,
  jobs: { due: 0, later: 0, oldestSeconds: 0, givenUp: 0 },
  books: { comparedAt: null, differences: null },
  pausedPrefixes: 0,
  scarceBudgets: [],
  lastHour: { webhookFailures: 0, providerErrors: 0 },
  incidents: [],
  intervals: [],
  browsers: [],
}

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
let page: EventTarget & { hidden: boolean }
let status: Record<string, number>
let bodies: string[]
let stop: (() => void) | undefined

async function openPage(href: string) {
  vi.resetModules()
  Object.assign(browser.window, {
    history: { state: null, replaceState: (_: unknown, __: string, url: URL) => go(url.href) },
  })
  go(href)
  return import('./ops.ts')
}

function go(href: string) {
  Object.assign((browser.window as unknown as Window).location, { href, hash: new URL(href).hash })
}

beforeEach(async () => {
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60))
  page = Object.assign(new EventTarget(), { hidden: false, documentElement: { dataset: {} } })
  vi.stubGlobal('document', page)
  status = {}
  bodies = []
  server = await serve((request, response, body) => {
    const [path = ''] = (request.url ?? '').split('?')
    if (body !== '') bodies.push(body)
    const wanted = status[path] ?? 200
    const codes: Record<number, string> = {
      401: 'unauthorized',
      403: 'second_factor_required',
      410: 'link_expired',
      503: 'unavailable',
    }
    if (wanted !== 200) refuse(response, wanted, codes[wanted] ?? 'internal')
    else if (path === '/api/ops/overview') answer(response, 200, overview)
    else response.writeHead(204).end()
  })
})
afterEach(() => {
  stop?.()
  stop = undefined
  vi.useRealTimers()
})

test('signs in with the link of the address, takes the token out of it, and looks', async () => {
  const ops = await openPage('http://localhost/ops#sign-in=abc')
  await ops.openOperations()
  expect(bodies).toEqual(['{"token":"abc"}'])
  expect(window.location.href).toBe('http://localhost/ops')
  expect(server.requests).toEqual(['POST /api/ops/sign-in', 'GET /api/ops/overview?span=day'])
  expect(ops.$operations.get()).toEqual({ state: 'ready', overview, trouble: null })
})

test('reports a link that no longer works, and that nobody is signed in', async () => {
  status['/api/ops/sign-in'] = 410
  const ops = await openPage('http://localhost/ops#sign-in=abc')
  await ops.openOperations()
  expect(ops.$operations.get()).toEqual({ state: 'signed_out', link: 'expired' })
  expect(server.requests).toEqual(['POST /api/ops/sign-in'])
  status['/api/ops/overview'] = 401
  const other = await openPage('http://localhost/ops')
  await other.openOperations()
  expect(other.$operations.get()).toEqual({ state: 'signed_out', link: 'none' })
})

test('an operator without a second factor is led to one, and whoever is not logged in to log in', async () => {
  status['/api/ops/sign-in'] = 403
  const ops = await openPage('http://localhost/ops#sign-in=abc')
  await ops.openOperations()
  expect(ops.$operations.get()).toEqual({ state: 'needs_second_factor', by: 'password' })
  status['/api/ops/overview'] = 403
  const other = await openPage('http://localhost/ops')
  await other.openOperations()
  expect(other.$operations.get()).toEqual({ state: 'needs_second_factor', by: 'password' })
  localStorage.clear()
  status['/api/auth/refresh-token'] = 401
  const visitor = await openPage('http://localhost/ops#sign-in=abc')
  await visitor.openOperations()
  expect(visitor.$operations.get()).toEqual({ state: 'needs_second_factor', by: 'nobody' })
})

test('signing in that got no verdict can be tried again with the same link', async () => {
  status['/api/ops/sign-in'] = 503
  const ops = await openPage('http://localhost/ops#sign-in=abc')
  await ops.openOperations()
  expect(ops.$operations.get()).toMatchObject({ state: 'not_signed_in' })
  status = {}
  await ops.openOperations()
  expect(bodies).toEqual(['{"token":"abc"}', '{"token":"abc"}'])
  expect(ops.$operations.get()).toMatchObject({ state: 'ready' })
})

test('keeps what was shown while the server does not answer, with the reason beside it', async () => {
  const ops = await openPage('http://localhost/ops')
  await ops.openOperations()
  status['/api/ops/overview'] = 503
  await ops.chooseOpsSpan('week')
  const seen = ops.$operations.get()
  expect(seen).toMatchObject({ state: 'ready', overview, trouble: expect.stringMatching(/\w/) })
  status = {}
  await ops.chooseOpsSpan('day')
  expect(ops.$operations.get()).toMatchObject({ state: 'ready', trouble: null })
  expect(server.requests.at(-2)).toBe('GET /api/ops/overview?span=week')
})

test('looks every 15 s while visible, at once when visible again, and signs in again in the same tab', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ops = await openPage('http://localhost/ops')
  const ask = globalThis.fetch
  let [looks, seen] = [0, 0]
  vi.stubGlobal('fetch', (...given: Parameters<typeof fetch>) => {
    if (String(given[0]).includes('overview')) looks += 1
    return ask(...given)
  })
  ops.$operations.listen(({ state }) => {
    if (state === 'ready') seen += 1
  })
  stop = ops.watchOperations()
  await vi.waitFor(() => expect(seen).toBe(1))
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(15_000)
    expect(looks).toBeGreaterThan(1)
  })
  page.hidden = true
  await vi.waitFor(() => expect(seen).toBe(looks))
  const before = looks
  await vi.advanceTimersByTimeAsync(120_000)
  expect(looks).toBe(before)
  page.hidden = false
  page.dispatchEvent(new Event('visibilitychange'))
  await vi.waitFor(() => expect(looks).toBe(before + 1))
  go('http://localhost/ops#sign-in=def')
  browser.window.dispatchEvent(new Event('hashchange'))
  await vi.waitFor(() => expect(bodies).toEqual(['{"token":"def"}']))
})

test('signing out ends the session; when that did not go through, it says so', async () => {
  const ops = await openPage('http://localhost/ops')
  await ops.openOperations()
  status['/api/ops/sign-out'] = 503
  await ops.leaveOperations()
  expect(ops.$operations.get()).toMatchObject({ state: 'ready', trouble: expect.stringMatching(/\w/) })
  status = {}
  await ops.leaveOperations()
  expect(ops.$operations.get()).toEqual({ state: 'signed_out', link: 'none' })
})
