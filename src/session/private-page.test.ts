import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, storageEvent, tokenFor } from '#support/fake-browser.ts'
import type { PageAnswer } from './private-page.ts'

let browser: ReturnType<typeof freshBrowser>

beforeEach(() => {
  vi.resetModules()
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60, 'anna'))
})

/** As another tab does it: by what it stores. Out with null. */
function signInElsewhere(user: string | null): void {
  if (user === null) localStorage.removeItem('token')
  else localStorage.setItem('token', tokenFor(60, user))
  browser.window.dispatchEvent(storageEvent('token'))
}

async function create() {
  const { createPrivatePage } = await import('./private-page.ts')
  const session = await import('./session.ts')
  const ask = vi.fn(async (): Promise<PageAnswer<string>> => ({ ok: true, value: 'a' }))
  const page = createPrivatePage<string>(() => '/here?id=1', ask)
  return { ...page, ...session, ask }
}

const login = '/login?next=%2Fhere%3Fid%3D1'

test('sends a visitor to log in and return, without a request', async () => {
  localStorage.removeItem('token')
  const page = await create()
  await page.open()
  expect(browser.visited).toEqual([login])
  expect(page.ask).not.toHaveBeenCalled()
  expect(page.$state.get()).toEqual({ state: 'loading' })
})

test('a refused session ends at the login, once, and shows no failure', async () => {
  const page = await create()
  page.ask.mockImplementationOnce(async () => {
    page.endSession()
    return { ok: false, status: 401, message: 'Please log in.' }
  })
  await page.open()
  await vi.waitFor(() => expect(browser.visited).toEqual([login]))
  expect(page.$state.get()).toEqual({ state: 'loading' })
})

test('a rejection that leaves the session as it is leads to the login, too', async () => {
  const page = await create()
  page.ask.mockResolvedValueOnce({ ok: false, status: 401, message: 'Please log in.' })
  await page.open()
  expect(browser.visited).toEqual([login])
  expect(page.$state.get()).toEqual({ state: 'loading' })
})

test('any other failure is shown, and goes when it is opened again', async () => {
  const page = await create()
  page.ask.mockResolvedValueOnce({ ok: false, status: 503, message: 'Unavailable.' })
  await page.open()
  expect(page.$state.get()).toEqual({ state: 'failed', message: 'Unavailable.' })
  await page.open()
  expect(page.$state.get()).toEqual({ state: 'ready', value: 'a' })
  expect(browser.visited).toEqual([])
})

test('opened twice before the session has started, asks once', async () => {
  const page = await create()
  await Promise.all([page.open(), page.open()])
  expect(page.ask).toHaveBeenCalledTimes(1)
  expect(page.$state.get()).toEqual({ state: 'ready', value: 'a' })
})

test('shows that it loads each time it is opened', async () => {
  const page = await create()
  await page.open()
  expect(page.$state.get()).toEqual({ state: 'ready', value: 'a' })
  const opening = page.open()
  expect(page.$state.get()).toEqual({ state: 'loading' })
  await opening
  expect(page.$state.get()).toEqual({ state: 'ready', value: 'a' })
})

test('opens again for another user, and for none at the login', async () => {
  const page = await create()
  await page.open()
  page.ask.mockResolvedValue({ ok: true, value: 'b' })
  signInElsewhere('bob')
  expect(page.$state.get()).toEqual({ state: 'loading' })
  await vi.waitFor(() => expect(page.$state.get()).toEqual({ state: 'ready', value: 'b' }))
  signInElsewhere(null)
  await vi.waitFor(() => expect(browser.visited).toEqual([login]))
})

test('a page that was never opened asks for nothing when the user changes', async () => {
  const page = await create()
  await page.start()
  signInElsewhere('bob')
  signInElsewhere(null)
  await Promise.resolve()
  expect(page.ask).not.toHaveBeenCalled()
  expect(browser.visited).toEqual([])
})

test('a logout on this page redirects by itself', async () => {
  vi.stubGlobal('fetch', async () => new Response(null, { status: 204 }))
  const page = await create()
  await page.open()
  await page.logout()
  expect(page.$state.get()).toEqual({ state: 'loading' })
  expect(browser.visited).toEqual([])
})
