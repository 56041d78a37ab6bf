import { beforeEach, expect, test, vi } from 'vitest'
import type { Profile } from '#lib/api/profile.ts'
import {
  answer,
  freshBrowser,
  refuse,
  serve,
  storageEvent,
  type TestServer,
  tokenFor,
} from '#support/fake-browser.ts'

const anna: Profile = {
  name: null,
  email: 'anna@example.com',
  emailVerified: true,
  pendingEmail: null,
  hasPassword: true,
  google: null,
  memberSince: '2026-11-16T09:00:00.000Z',
  credits: 12.4,
  heldCredits: 0,
  booklets: [],
  savedCard: { brand: 'visa', last4: '4242' },
  autoTopUpEnabled: true,
}

/** On a busy machine. */
const waitOptions = { timeout: 5000 }

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
/** What the server knows, and how it rejects, by method and path. */
let kept: Profile
let rejections: Record<string, [status: number, code: string]>
/** Milliseconds until an answer. */
let delays: Record<string, number>
let bodies: Record<string, unknown>

beforeEach(async () => {
  vi.resetModules()
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60))
  kept = anna
  rejections = {}
  delays = {}
  bodies = {}
  server = await serve((request, response, body) => {
    const asked = `${request.method} ${request.url}`
    const refused = rejections[asked]
    bodies[asked] = body === '' ? null : JSON.parse(body)
    if (refused) return refuse(response, ...refused)
    if (request.url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    if (request.url?.endsWith('/password')) return answer(response, 204)
    if (request.url?.endsWith('/devices')) return answer(response, 200, [])
    if (request.url?.endsWith('/me')) return refuse(response, 503, 'unavailable')
    if (request.url?.endsWith('/name')) kept = { ...kept, name: JSON.parse(body).name }
    if (request.url?.endsWith('/saved-card')) kept = { ...kept, savedCard: null, autoTopUpEnabled: false }
    if (request.url?.endsWith('/email'))
      kept = { ...kept, pendingEmail: body === '' ? null : JSON.parse(body).email }
    const profileThen = kept
    const status = asked === 'POST /api/protected/profile/email' ? 202 : 200
    setTimeout(() => answer(response, status, profileThen), delays[asked] ?? 0)
  })
})

const load = () => import('./profile.ts')

test('shows the profile of whoever is signed in', async () => {
  const page = await load()
  await page.openProfile()
  expect(page.$profile.get()).toEqual({ state: 'ready', value: anna })
})

test('sends a visitor to log in and come back', async () => {
  localStorage.removeItem('token')
  const page = await load()
  await page.openProfile()
  expect(browser.visited).toEqual(['/login?next=%2Fprofile'])
})

test('says what failed, loads when it is tried again, and keeps what it knows when that fails later', async () => {
  rejections['GET /api/protected/profile'] = [503, 'unavailable']
  const page = await load()
  await page.openProfile()
  expect(page.$profile.get()).toEqual({ state: 'failed', message: 'Refused: unavailable.' })
  rejections = {}
  await page.openProfile()
  expect(page.$profile.get()).toMatchObject({ state: 'ready' })
  rejections['GET /api/protected/profile'] = [503, 'unavailable']
  await page.openProfile()
  expect(page.$profile.get()).toEqual({ state: 'ready', value: anna })
})

test('each change shows the profile as the server then has it', async () => {
  const page = await load()
  await page.openProfile()
  await page.saveName('Anna')
  expect(page.$profile.get()).toMatchObject({ value: { name: 'Anna' } })
  await page.askEmailChange('Berg@Example.com ', 'secret')
  expect(bodies['POST /api/protected/profile/email']).toEqual({
    email: 'Berg@Example.com ',
    password: 'secret',
  })
  expect(page.$profile.get()).toMatchObject({ value: { pendingEmail: 'Berg@Example.com ' } })
  await page.giveUpEmailChange()
  expect(page.$profile.get()).toMatchObject({ value: { name: 'Anna', pendingEmail: null } })
  await page.forgetCard()
  expect(page.$profile.get()).toMatchObject({ value: { savedCard: null, autoTopUpEnabled: false } })
})

test('leaves the page unchanged after a rejected change, and says why', async () => {
  rejections['POST /api/protected/profile/email'] = [403, 'wrong_password']
  const page = await load()
  await page.openProfile()
  expect(await page.askEmailChange('new@example.com', 'x')).toMatchObject({
    ok: false,
    code: 'wrong_password',
  })
  expect(page.$profile.get()).toEqual({ state: 'ready', value: anna })
})

test('sends simultaneous changes one after the other, so that the last answer is the newest', async () => {
  delays['POST /api/protected/profile/name'] = 1000
  const page = await load()
  await page.openProfile()
  const both = Promise.all([page.saveName('Anna'), page.forgetCard()])
  await vi.waitFor(() => expect(server.requests).toContain('POST /api/protected/profile/name'), waitOptions)
  await new Promise(resolve => setTimeout(resolve, 20))
  expect(server.requests).not.toContain('DELETE /api/protected/profile/saved-card')
  await both
  expect(page.$profile.get()).toMatchObject({ value: { name: 'Anna', savedCard: null } })
})

test('an answer from before a change does not undo it', async () => {
  const page = await load()
  await page.openProfile()
  delays['GET /api/protected/profile'] = 80
  const slow = page.openProfile()
  await vi.waitFor(
    () => expect(server.requests.filter(line => line.endsWith('/profile'))).toHaveLength(2),
    waitOptions,
  )
  await page.saveName('Anna')
  await slow
  expect(page.$profile.get()).toMatchObject({ value: { name: 'Anna' } })
})

test('a first password is sent with nothing as the current one, and the page then knows that there is one', async () => {
  kept = { ...anna, hasPassword: false }
  const page = await load()
  await page.openProfile()
  kept = anna
  delays['GET /api/protected/profile'] = 100
  expect(await page.setPassword('', 'a fine long secret')).toMatchObject({ ok: true })
  // The message comes at once, not only when the page has reloaded.
  expect(page.$profile.get()).toMatchObject({ value: { hasPassword: false } })
  expect(bodies['POST /api/protected/profile/password']).toEqual({ current: '', next: 'a fine long secret' })
  await vi.waitFor(() => {
    expect(page.$profile.get()).toMatchObject({ value: { hasPassword: true } })
    expect(server.requests).toContain('GET /api/protected/devices')
  }, waitOptions)
})

test('signed out in another tab, what is private leaves this page; signed in again it comes back', async () => {
  const page = await load()
  await page.openProfile()
  localStorage.removeItem('token')
  browser.window.dispatchEvent(storageEvent('token'))
  expect(page.$profile.get()).toEqual({ state: 'signed_out' })
  kept = { ...anna, email: 'bob@example.com' }
  localStorage.setItem('token', tokenFor(60))
  browser.window.dispatchEvent(storageEvent('token'))
  await vi.waitFor(
    () => expect(page.$profile.get()).toMatchObject({ value: { email: 'bob@example.com' } }),
    waitOptions,
  )
  expect(browser.visited).toEqual([])
})

/** Another tab has signed in, with no sign-out between. */
function signInElsewhere(token: string): void {
  localStorage.setItem('token', token)
  browser.window.dispatchEvent(storageEvent('token'))
}

test('shows another user’s own data when they sign in in another tab, and nothing of the previous one', async () => {
  const page = await load()
  await page.openProfile()
  delays['POST /api/protected/profile/name'] = 150
  const saving = page.saveName('Anna')
  await vi.waitFor(() => expect(bodies['POST /api/protected/profile/name']).toBeDefined(), waitOptions)
  kept = { ...anna, email: 'bob@example.com' }
  signInElsewhere(tokenFor(60))
  expect(page.$profile.get()).toEqual({ state: 'loading' })
  const bob = () =>
    expect(page.$profile.get()).toMatchObject({ value: { name: null, email: 'bob@example.com' } })
  await vi.waitFor(bob, waitOptions)
  await saving
  bob()
  expect(browser.visited).toEqual([])
})

test('a renewed session of the same user leaves the page as it is', async () => {
  localStorage.setItem('token', tokenFor(60, 'anna'))
  const page = await load()
  await page.openProfile()
  signInElsewhere(tokenFor(60, 'anna'))
  expect(page.$profile.get()).toEqual({ state: 'ready', value: anna })
})

test('goes to the login when a session is rejected while the page opens', async () => {
  rejections['GET /api/protected/profile'] = [401, 'unauthorized']
  const page = await load()
  await page.openProfile()
  expect(browser.visited).toEqual(['/login?next=%2Fprofile'])
})

test('signed out while the page opens, nothing private comes after', async () => {
  delays['GET /api/protected/profile'] = 100
  const page = await load()
  const opening = page.openProfile()
  await vi.waitFor(() => expect(server.requests).toContain('GET /api/protected/profile'), waitOptions)
  localStorage.removeItem('token')
  browser.window.dispatchEvent(storageEvent('token'))
  await opening
  expect(page.$profile.get()).toEqual({ state: 'loading' })
  expect(browser.visited).toEqual(['/login?next=%2Fprofile'])
})
