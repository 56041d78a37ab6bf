import { expect, test, vi } from 'vitest'
import { me } from '#lib/api/me.ts'
import { openPage, tokenFor } from '#support/fake-browser.ts'
import { backend, logouts, refreshes, serveBackend, setHint } from '#support/session-backend.ts'

serveBackend()

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

test.each([429, 503])('a logout answered %i counts as unheard', async status => {
  backend.logoutStatus = status
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
