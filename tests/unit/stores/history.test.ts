import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from './browser.ts'

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
let failing: boolean

function call(id: string) {
  const time = '2025-11-20T14:02:00.000Z'
  return {
    id,
    to: '+12125550100',
    isoCode: 'US',
    state: 'ended',
    placedAt: time,
    answeredAt: time,
    endedAt: time,
    seconds: 10,
    ratePerMinute: 0.02,
    minutesCharged: 1,
    cost: 0.02,
    free: false,
    outcome: 'completed',
  }
}

async function openPage() {
  vi.resetModules()
  return import('#stores/history.ts')
}

beforeEach(async () => {
  browser = freshBrowser()
  failing = false
  server = await serve((request, response) => {
    if (request.url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    if (failing) return refuse(response, 503, 'unavailable')
    if (request.url === '/api/calls')
      answer(response, 200, { calls: [call('c'), call('b')], nextCursor: 'b' })
    else answer(response, 200, { calls: [call('b'), call('a')], nextCursor: null })
  })
})
afterEach(async () => {
  await server.close()
  vi.unstubAllGlobals()
})

test('lists the newest calls, then older ones after them, each once', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.openHistory()
  await Promise.all([page.loadMore(), page.loadMore()])
  await page.loadMore()
  const history = page.$history.get()
  expect(history.state === 'ready' && history.calls.map(({ id }) => id)).toEqual(['c', 'b', 'a'])
  expect(server.requests).toEqual(['GET /api/calls', 'GET /api/calls?cursor=b'])
})

test('sends a visitor to log in and come back', async () => {
  const page = await openPage()
  await page.openHistory()
  expect(browser.visited).toEqual(['/login?next=%2Fcall-history'])
})

test('after a failure it can be tried again', async () => {
  localStorage.setItem('token', tokenFor(60))
  failing = true
  const page = await openPage()
  await page.openHistory()
  expect(page.$history.get()).toEqual({ state: 'failed', message: 'Refused: unavailable.' })
  failing = false
  await page.openHistory()
  expect(page.$history.get().state).toBe('ready')
})

test('older calls that do not come leave the list as it was, to be tried again', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.openHistory()
  failing = true
  await page.loadMore()
  expect(page.$history.get()).toMatchObject({ state: 'ready', more: 'failed', nextCursor: 'b' })
  failing = false
  await page.loadMore()
  expect(page.$history.get()).toMatchObject({ state: 'ready', more: 'idle', nextCursor: null })
})
