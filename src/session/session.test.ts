import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { me } from '#lib/api/me.ts'
import {
  answer,
  blockStorage,
  freshBrowser,
  openPage,
  refuse,
  serve,
  storageEvent,
  type TestServer,
  tokenFor,
} from '#support/fake-browser.ts'

const profile = {
  id: 'u1',
  email: 'anna@example.com',
  email_verified: true,
  credits: 1.5,
  has_used_free_call: false,
  auto_topup_enabled: false,
  can_call: true,
  hide: false,
  has_submitted_feedback: false,
  has_made_call: false,
  hasSavedPaymentMethod: false,
}

/** A server in which one access token at a time is good, and refreshing replaces it. */
interface Backend {
  good: string
  refreshStatus: number
  refreshDelayMs: number
  loginStatus: number
  logoutDelayMs: number
  meStatus: number | null
  down: boolean
  /** What it has answered that sets or clears the cookie. */
  log: string[]
}

let backend: Backend
let server: TestServer
let browser: ReturnType<typeof freshBrowser>

const refreshes = () => server.requests.filter(line => line === 'POST /api/auth/refresh-token').length
const profileRequests = () => server.requests.filter(line => line === 'GET /api/protected/me').length
const logouts = () => server.requests.filter(line => line === 'POST /api/auth/logout').length

/** The hint that the server sets and clears with the refresh cookie, which no page can read. */
const setHint = () => Object.assign(document, { cookie: 'other=1; __Host-signed-in=yes' })
const clearHint = () => Object.assign(document, { cookie: '' })

beforeEach(async () => {
  browser = freshBrowser()
  vi.stubGlobal('document', { cookie: '', documentElement: { dataset: {} } })
  backend = {
    good: 'none yet',
    refreshStatus: 200,
    refreshDelayMs: 0,
    loginStatus: 200,
    logoutDelayMs: 0,
    meStatus: null,
    down: false,
    log: [],
  }
  server = await serve((request, response) => {
    if (backend.down) return void response.destroy()
    switch (`${request.method} ${request.url}`) {
      case 'POST /api/auth/refresh-token':
        setTimeout(() => {
          backend.log.push('refreshed')
          if (backend.refreshStatus === 401) clearHint()
          if (backend.refreshStatus !== 200) return refuse(response, backend.refreshStatus, 'no_session')
          setHint()
          backend.good = tokenFor(900)
          answer(response, 200, { token: backend.good })
        }, backend.refreshDelayMs)
        return
      case 'POST /api/auth/login':
        if (backend.loginStatus !== 200) return refuse(response, backend.loginStatus, 'wrong_credentials')
        backend.log.push('logged in')
        setHint()
        backend.good = tokenFor(900)
        return answer(response, 200, { token: backend.good })
      case 'POST /api/auth/logout':
        setTimeout(() => {
          backend.log.push('logged out')
          clearHint()
          answer(response, 204)
        }, backend.logoutDelayMs)
        return
      default:
        if (backend.meStatus !== null) return refuse(response, backend.meStatus, 'unauthorized')
        if (request.headers.authorization === `Bearer ${backend.good}`) return answer(response, 200, profile)
        refuse(response, 401, 'unauthorized')
    }
  })
})
afterEach(async () => {
  await server.close()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

test('starts as loading, then is signed out when there is neither token nor cookie, and asks nobody', async () => {
  const page = await openPage()
  expect(page.$session.get()).toEqual({ status: 'loading' })
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, code: 'unauthorized' })
  expect(server.requests).toEqual([])
})

test('asks once about a hint of a session that has ended', async () => {
  setHint()
  backend.refreshStatus = 401
  for (let time = 0; time < 2; time += 1) {
    const page = await openPage()
    await page.start()
    expect(page.$session.get()).toEqual({ status: 'signed_out' })
  }
  expect(refreshes()).toBe(1)
})

test('a hint stays where the server cannot be reached: the next page signs in', async () => {
  setHint()
  backend.down = true
  const page = await openPage()
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
  backend.down = false
  const next = await openPage()
  await next.start()
  expect(next.$session.get()).toEqual({ status: 'signed_in', token: backend.good })
})

test('a session from before there were hints is renewed by its token, and has a hint from then on', async () => {
  localStorage.setItem('token', tokenFor(-1))
  const page = await openPage()
  await page.start()
  expect(page.currentToken()).toBe(backend.good)
  localStorage.clear()
  const next = await openPage()
  await next.start()
  expect(next.currentToken()).toBe(backend.good)
  expect(refreshes()).toBe(2)
})

test('signs in a user who comes back from Google, even if the server sets no hint', async () => {
  Object.assign(window.location, { href: 'http://localhost/login?signed_in=google' })
  const page = await openPage()
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_in', token: backend.good })
})

test('a stored token that has not expired is used without asking', async () => {
  const token = tokenFor(60)
  localStorage.setItem('token', token)
  const page = await openPage()
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_in', token })
  expect(server.requests).toEqual([])
})

test.each([
  ['missing', () => null],
  ['expired', () => tokenFor(-1)],
  ['unreadable', () => 'not.a-token'],
])('on load a token that is %s is refreshed and the new one stored', async (_, stored) => {
  const token = stored()
  if (token === null) setHint()
  else localStorage.setItem('token', token)
  const page = await openPage()
  const starting = page.start()
  expect(page.start()).toBe(starting)
  await starting
  expect(page.$session.get()).toEqual({ status: 'signed_in', token: backend.good })
  expect(localStorage.getItem('token')).toBe(backend.good)
  expect(refreshes()).toBe(1)
})

test('an expired token that cannot be refreshed is removed', async () => {
  localStorage.setItem('token', tokenFor(-1))
  backend.refreshStatus = 401
  const page = await openPage()
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
  expect(localStorage.getItem('token')).toBeNull()
})

test('with the server out of reach on load, the session is neither lost nor renewed', async () => {
  const token = tokenFor(-1)
  localStorage.setItem('token', token)
  backend.down = true
  const page = await openPage()
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_in', token })
  expect(localStorage.getItem('token')).toBe(token)
})

test.each([429, 500, 503])('a refresh answered %i rejects nobody: the session stays', async status => {
  const token = tokenFor(60)
  localStorage.setItem('token', token)
  backend.refreshStatus = status
  const page = await openPage()
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, code: 'offline' })
  expect(page.$session.get()).toEqual({ status: 'signed_in', token })
  expect(localStorage.getItem('token')).toBe(token)
  expect(refreshes()).toBe(1)

  backend.refreshStatus = 200
  expect(await page.authorised(me, {})).toMatchObject({ ok: true })
  expect(localStorage.getItem('token')).toBe(backend.good)
})

test.each([429, 503])(
  'a page that loads while refreshing is answered %i keeps the old token',
  async status => {
    const token = tokenFor(-1)
    localStorage.setItem('token', token)
    backend.refreshStatus = status
    const page = await openPage()
    await page.start()
    expect(page.$session.get()).toEqual({ status: 'signed_in', token })
    expect(localStorage.getItem('token')).toBe(token)
  },
)

test('a refresh answered 403 is rejected like one answered 401', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshStatus = 403
  const page = await openPage()
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, status: 401 })
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
})

test('login stores the token under the key token', async () => {
  backend.refreshStatus = 401
  const page = await openPage()
  expect((await page.login('anna@example.com', 'correct horse')).ok).toBe(true)
  expect(localStorage.getItem('token')).toBe(backend.good)
  expect(page.currentToken()).toBe(backend.good)
})

test('requests that fail with 401 at the same time share one refresh and are each retried once', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshDelayMs = 30
  const page = await openPage()
  const results = await Promise.all(Array.from({ length: 8 }, () => page.authorised(me, {})))
  expect(results.every(result => result.ok)).toBe(true)
  expect(refreshes()).toBe(1)
  expect(profileRequests()).toBe(16)
  expect(localStorage.getItem('token')).toBe(backend.good)
})

test("without the browser's locks they share one refresh too", async () => {
  vi.stubGlobal('navigator', {})
  localStorage.setItem('token', tokenFor(60))
  backend.refreshDelayMs = 30
  const page = await openPage()
  await Promise.all(Array.from({ length: 8 }, () => page.authorised(me, {})))
  expect(refreshes()).toBe(1)
})

test('a 401 that arrives after the token was replaced is retried without another refresh', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.start()
  const old = page.currentToken()
  await page.authorised(me, {})
  // Also where the clock makes the new token look as old as the first.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
  expect(await page.refreshAfter(old)).toBe('refreshed')
  expect(refreshes()).toBe(1)
})

test('does not try a third time when a request is rejected with a fresh token too', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.meStatus = 401
  const page = await openPage()
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, code: 'unauthorized', status: 401 })
  expect(profileRequests()).toBe(2)
  expect(refreshes()).toBe(1)
  expect(page.$session.get().status).toBe('signed_in')
})

test('a rejected refresh logs the user out', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshStatus = 401
  const page = await openPage()
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, status: 401 })
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
  expect(localStorage.getItem('token')).toBeNull()
  expect(profileRequests()).toBe(1)
})

test('with skipLogoutOnFail a rejected refresh leaves the session alone', async () => {
  const token = tokenFor(60)
  localStorage.setItem('token', token)
  backend.refreshStatus = 401
  const page = await openPage()
  expect(await page.authorised(me, {}, { skipLogoutOnFail: true })).toMatchObject({ ok: false, status: 401 })
  expect(page.$session.get()).toEqual({ status: 'signed_in', token })
})

test('a failure other than 401 refreshes nothing', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.meStatus = 503
  const page = await openPage()
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, status: 503 })
  expect(refreshes()).toBe(0)
})

test('a logout reports to the server, clears the token and suppresses the next refresh, even of the next page', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.start()
  await page.logout()
  expect(logouts()).toBe(1)
  expect(localStorage.getItem('token')).toBeNull()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })

  const next = await openPage()
  await next.start()
  expect(next.$session.get()).toEqual({ status: 'signed_out' })
  expect(refreshes()).toBe(0)

  setHint() // somebody has signed in elsewhere in this browser
  const afterNext = await openPage()
  await afterNext.start()
  expect(refreshes()).toBe(1)
})

test('no refresh slips in while a logout is being sent to the server', async () => {
  const page = await openPage()
  await page.login('anna@example.com', 'correct horse')
  const leaving = page.logout()
  expect(await page.refreshAfter(null)).toBe('refused')
  await leaving
  expect(refreshes()).toBe(0)
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
})

test('the next page sends again a logout that never reached the server', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.start()
  backend.down = true
  await page.logout()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })

  backend.down = false
  const before = logouts()
  const next = await openPage()
  await next.start()
  expect(logouts()).toBe(before + 1)
  expect(refreshes()).toBe(0)
  expect(next.$session.get()).toEqual({ status: 'signed_out' })
})

test('a logout that the server did not hear holds for whoever opens the site next, in another tab', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.start()
  backend.down = true
  await page.logout()
  sessionStorage.clear() // the tab is closed

  const offline = await openPage()
  await offline.start()
  expect(offline.$session.get()).toEqual({ status: 'signed_out' })

  backend.down = false
  const before = logouts()
  const next = await openPage()
  await next.start()
  expect(next.$session.get()).toEqual({ status: 'signed_out' })
  expect([logouts() - before, refreshes()]).toEqual([1, 0])

  const afterNext = await openPage()
  await afterNext.start()
  expect([logouts() - before, refreshes()]).toEqual([1, 0])
})

test('another tab that is open does not undo a logout that the server did not hear', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  const other = await openPage()
  await Promise.all([page.start(), other.start()])
  backend.down = true
  await page.logout()
  backend.down = false
  // Its own request is rejected, and it does not know of the logout yet: it reports it to the server instead of refreshing.
  const before = logouts()
  expect(await other.authorised(me, {}, { skipLogoutOnFail: true })).toMatchObject({ ok: false, status: 401 })
  expect([logouts() - before, refreshes()]).toEqual([1, 0])
  expect(other.$session.get()).toEqual({ status: 'signed_out' })
  expect(localStorage.getItem('token')).toBeNull()
})

test('a refresh of another tab that was under way at the logout brings no session back', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshDelayMs = 300
  const page = await openPage()
  const other = await openPage()
  await Promise.all([page.start(), other.start()])
  const refreshing = other.refreshAfter(other.currentToken())
  await vi.waitFor(() => expect(refreshes()).toBe(1), 5000)
  const leaving = page.logout()
  expect(await refreshing).toBe('refused')
  await leaving
  expect(other.$session.get()).toEqual({ status: 'signed_out' })
  expect(localStorage.getItem('token')).toBeNull()
})

test('a refresh is dropped when the token went meanwhile, as with a tab that ended the session', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshDelayMs = 300
  const page = await openPage()
  await page.start()
  const refreshing = page.refreshAfter(page.currentToken())
  await vi.waitFor(() => expect(refreshes()).toBe(1), 5000)
  localStorage.removeItem('token')
  expect(await refreshing).toBe('refused')
  expect(localStorage.getItem('token')).toBeNull()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
})

test.each([429, 503])('a logout answered %i counts as unheard', async status => {
  await server.close()
  server = await serve((_, response) => refuse(response, status, 'unavailable'))
  const page = await openPage()
  await page.logout()
  expect(localStorage.getItem('unheardLogout')).not.toBeNull()
})

test('nothing is left of an unreceived logout after the next sign-in, and everything after a failed one', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.start()
  backend.down = true
  await page.logout()
  backend.down = false
  backend.loginStatus = 401
  await page.login('anna@example.com', 'wrong')
  expect(localStorage.getItem('unheardLogout')).not.toBeNull()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })

  backend.loginStatus = 200
  const before = logouts()
  await page.login('anna@example.com', 'correct horse')
  const next = await openPage()
  await next.start()
  expect(next.$session.get()).toEqual({ status: 'signed_in', token: backend.good })
  expect(logouts()).toBe(before)
})

test('a login waits for the refresh and for the logout of another tab, which set and clear the same cookie', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshDelayMs = 300
  backend.logoutDelayMs = 300
  const page = await openPage()
  const other = await openPage()
  await Promise.all([page.start(), other.start()])
  const refreshing = other.refreshAfter(other.currentToken())
  await vi.waitFor(() => expect(refreshes()).toBe(1), 5000)
  await page.login('anna@example.com', 'correct horse')
  expect(backend.log).toEqual(['refreshed', 'logged in'])
  await refreshing
  expect(page.currentToken()).toBe(backend.good)

  const leaving = other.logout()
  await vi.waitFor(() => expect(logouts()).toBe(1), 5000)
  await page.login('anna@example.com', 'correct horse')
  expect(backend.log).toEqual(['refreshed', 'logged in', 'logged out', 'logged in'])
  await leaving
  expect(localStorage.getItem('token')).toBe(backend.good)
})

test('a refresh under way when the user logs out does not sign them in again', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshDelayMs = 50
  const page = await openPage()
  await page.start()
  const refreshing = page.refreshAfter(localStorage.getItem('token'))
  await vi.waitFor(() => expect(refreshes()).toBe(1))
  await page.logout()
  expect(await refreshing).toBe('refused')
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
  expect(localStorage.getItem('token')).toBeNull()
})

test('logging in after a logout is not undone by the mark the logout left', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.start()
  await page.logout()
  await page.login('anna@example.com', 'correct horse')
  backend.good = 'another'
  expect(await page.authorised(me, {})).toMatchObject({ ok: true })
})

test('a clock a day ahead makes one refresh per load and then trusts the server', async () => {
  const token = tokenFor(60)
  backend.good = token
  localStorage.setItem('token', token)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
  const page = await openPage()
  await page.start()
  for (let round = 0; round < 5; round += 1) expect(await page.authorised(me, {})).toMatchObject({ ok: true })
  expect(refreshes()).toBe(1)
})

test('a clock a day behind causes one refresh, when the server rejects the token', async () => {
  localStorage.setItem('token', tokenFor(-60))
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 86_400_000 })
  const page = await openPage()
  await page.start()
  expect(refreshes()).toBe(0)
  for (let round = 0; round < 5; round += 1) expect(await page.authorised(me, {})).toMatchObject({ ok: true })
  expect(refreshes()).toBe(1)
})

test('two tabs that load at once with an expired token make one refresh between them', async () => {
  localStorage.setItem('token', tokenFor(-1))
  backend.refreshDelayMs = 30
  const one = await openPage()
  const other = await openPage()
  await Promise.all([one.start(), other.start()])
  expect(refreshes()).toBe(1)
  expect(one.currentToken()).toBe(backend.good)
  expect(other.currentToken()).toBe(backend.good)
})

test('a login and a logout in another tab are followed here', async () => {
  backend.refreshStatus = 401
  const page = await openPage()
  await page.start()
  const token = tokenFor(900)
  localStorage.setItem('token', token)
  browser.window.dispatchEvent(storageEvent('token'))
  expect(page.$session.get()).toEqual({ status: 'signed_in', token })
  localStorage.clear()
  browser.window.dispatchEvent(storageEvent(null))
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
})

test('with storage blocked the session lives in memory', async () => {
  blockStorage()
  backend.refreshStatus = 401
  const page = await openPage()
  await page.start()
  await page.login('anna@example.com', 'correct horse')
  expect(await page.authorised(me, {})).toMatchObject({ ok: true })
  await page.logout()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
})

test('with storage full the new token is the one that counts', async () => {
  localStorage.setItem('token', tokenFor(-1))
  vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  const page = await openPage()
  await page.start()
  expect(page.currentToken()).toBe(backend.good)
  expect(await page.authorised(me, {})).toMatchObject({ ok: true })
})

test('the profile is loaded once for all who ask at the same time, and goes with the session', async () => {
  setHint()
  const page = await openPage()
  await Promise.all([page.loadUser(), page.loadUser()])
  expect(page.$user.get()?.email).toBe('anna@example.com')
  expect(profileRequests()).toBe(1)
  page.endSession()
  expect(page.$user.get()).toBeNull()
})

test('a profile that cannot be loaded is logged without saying whose', async () => {
  setHint()
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  backend.meStatus = 500
  const page = await openPage()
  expect(await page.loadUser()).toBeNull()
  expect(page.$user.get()).toBeNull()
  expect(log).toHaveBeenCalledOnce()
  expect(log.mock.calls.flat().join(' ')).not.toMatch(/@|eyJ|Bearer/)
  log.mockRestore()
})
