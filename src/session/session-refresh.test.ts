import { expect, test, vi } from 'vitest'
import { me } from '#lib/api/me.ts'
import { openPage, tokenFor } from '#support/fake-browser.ts'
import { backend, profileRequests, refreshes, serveBackend } from '#support/session-backend.ts'

serveBackend()

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

test('a refresh answered 403 is rejected like one answered 401', async () => {
  localStorage.setItem('token', tokenFor(60))
  backend.refreshStatus = 403
  const page = await openPage()
  expect(await page.authorised(me, {})).toMatchObject({ ok: false, status: 401 })
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
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
