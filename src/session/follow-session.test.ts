import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, storageEvent, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>

beforeEach(() => {
  vi.resetModules()
  browser = freshBrowser()
})

/** As another tab does it: by what it stores. */
function signIn(user: string): void {
  localStorage.setItem('token', tokenFor(60, user))
  browser.window.dispatchEvent(storageEvent('token'))
}

async function follow() {
  const { followSession } = await import('./follow-session.ts')
  const session = await import('./session.ts')
  /** The status of the session at each call. */
  const calls: string[] = []
  const stop = followSession(() => calls.push(session.$session.get().status))
  return { ...session, calls, stop }
}

test('is not called for how a page begins, nor for renewals of the same user', async () => {
  localStorage.setItem('token', tokenFor(60, 'anna'))
  const page = await follow()
  await page.start()
  signIn('anna')
  expect(page.calls).toEqual([])
})

test('is called for every other user, and for none', async () => {
  localStorage.setItem('token', tokenFor(60, 'anna'))
  const page = await follow()
  await page.start()
  signIn('bob')
  expect(page.calls).toEqual(['signed_in'])
  signIn('bob')
  page.endSession()
  signIn('bob')
  expect(page.calls).toEqual(['signed_in', 'signed_out', 'signed_in'])
})

test('knows whose turn it is where the page began before', async () => {
  localStorage.setItem('token', tokenFor(60, 'anna'))
  const { start } = await import('./session.ts')
  await start()
  const page = await follow()
  signIn('anna')
  expect(page.calls).toEqual([])
  signIn('bob')
  expect(page.calls).toEqual(['signed_in'])
})

test('is no longer called once stopped', async () => {
  localStorage.setItem('token', tokenFor(60, 'anna'))
  const page = await follow()
  await page.start()
  page.stop()
  page.endSession()
  expect(page.calls).toEqual([])
})
