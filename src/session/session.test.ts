import { expect, test, vi } from 'vitest'
import { me } from '#lib/api/me.ts'
import { blockStorage, openPage, storageEvent, tokenFor } from '#support/fake-browser.ts'
import {
  backend,
  profileRequests,
  refreshes,
  requests,
  serveBackend,
  setHint,
} from '#support/session-backend.ts'

serveBackend()

test('starts as loading, then is signed out when there is neither token nor cookie, and asks nobody', async () => {
  const page = await openPage()
  expect(page.$session.get()).toEqual({ status: 'loading' })
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, code: 'unauthorized' })
  expect(requests()).toEqual([])
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
  expect(requests()).toEqual([])
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

test('login stores the token under the key token', async () => {
  backend.refreshStatus = 401
  const page = await openPage()
  expect((await page.login('anna@example.com', 'correct horse')).ok).toBe(true)
  expect(localStorage.getItem('token')).toBe(backend.good)
  expect(page.currentToken()).toBe(backend.good)
})

test('a login and a logout in another tab are followed here', async () => {
  backend.refreshStatus = 401
  const page = await openPage()
  await page.start()
  const token = tokenFor(900)
  localStorage.setItem('token', token)
  window.dispatchEvent(storageEvent('token'))
  expect(page.$session.get()).toEqual({ status: 'signed_in', token })
  localStorage.clear()
  window.dispatchEvent(storageEvent(null))
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
