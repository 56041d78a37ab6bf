import { beforeEach, expect, test, vi } from 'vitest'
import type { Device } from '#lib/api/profile.ts'
import {
  answer,
  freshBrowser,
  refuse,
  serve,
  storageEvent,
  type TestServer,
  tokenFor,
} from '#support/fake-browser.ts'

const device = (id: string, current = false): Device => ({
  id,
  name: `Browser ${id}`,
  kind: 'computer',
  signedInAt: '2026-11-01T09:00:00.000Z',
  lastSeenAt: '2026-11-19T08:12:00.000Z',
  current,
})

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
let kept: Device[]
let refused: [status: number, code: string] | null

beforeEach(async () => {
  vi.resetModules()
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60))
  kept = [device('a', true), device('b'), device('c')]
  refused = null
  server = await serve((request, response) => {
    if (request.url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    if (refused !== null) return refuse(response, ...refused)
    return request.method === 'GET' ? answer(response, 200, kept) : answer(response, 204)
  })
})

const load = () => import('./devices.ts')
const shownIn = (page: Awaited<ReturnType<typeof load>>) => {
  const shown = page.$devices.get()
  return shown.state === 'ready' ? shown.value.map(({ id }) => id) : shown.state
}

test('lists the devices, and removes the one that was signed out', async () => {
  const page = await load()
  await page.loadDevices()
  expect(shownIn(page)).toEqual(['a', 'b', 'c'])
  expect(await page.signOut('b')).toEqual({ ok: true })
  expect(server.requests).toContain('DELETE /api/protected/devices/b')
  expect(shownIn(page)).toEqual(['a', 'c'])
})

test('removes a device that is already signed out as well', async () => {
  const page = await load()
  await page.loadDevices()
  refused = [404, 'not_found']
  expect(await page.signOut('b')).toEqual({ ok: true })
  expect(shownIn(page)).toEqual(['a', 'c'])
})

test('keeps this device when all others are signed out', async () => {
  const page = await load()
  await page.loadDevices()
  expect(await page.signOutElsewhere()).toMatchObject({ ok: true })
  expect(shownIn(page)).toEqual(['a'])
})

test('keeps on the list what could not be signed out', async () => {
  const page = await load()
  await page.loadDevices()
  refused = [503, 'unavailable']
  expect(await page.signOut('b')).toMatchObject({ ok: false, message: 'Refused: unavailable.' })
  expect(await page.signOutElsewhere()).toMatchObject({ ok: false })
  expect(shownIn(page)).toEqual(['a', 'b', 'c'])
})

test('says what failed, and lists them when it is tried again', async () => {
  const page = await load()
  refused = [503, 'unavailable']
  await page.loadDevices()
  expect(page.$devices.get()).toEqual({ state: 'failed', message: 'Refused: unavailable.' })
  refused = null
  await page.loadDevices()
  expect(shownIn(page)).toEqual(['a', 'b', 'c'])
})

test('nothing of them is left after a sign-out', async () => {
  const page = await load()
  const { endSession } = await import('#session/session.ts')
  await page.loadDevices()
  endSession()
  expect(shownIn(page)).toBe('loading')
})

test('shows nothing of them when another user signs in', async () => {
  const page = await load()
  await page.loadDevices()
  localStorage.setItem('token', tokenFor(60))
  browser.window.dispatchEvent(storageEvent('token'))
  expect(shownIn(page)).toBe('loading')
})
