import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleUser as me } from '#support/example-user.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'

const own = '+447700900142'

let visited: string[]
let verified: string[]
const requested: unknown[] = []

beforeEach(() => {
  visited = freshBrowser().visited
  verified = []
  requested.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    switch (path) {
      case '/api/protected/me':
        return Response.json(me)
      case '/api/caller-id/verified':
        return Response.json(verified.map(phone_number => ({ phone_number })))
      case '/api/caller-id/verification':
        return Response.json({ attemptsPerDay: 3, attemptsLeft: 2, waitMs: 0, lastCall: null })
      case '/api/caller-id/request-verification':
        requested.push(JSON.parse(String(init.body)))
        return Response.json({ code: '482915' })
      default:
        return new Response(null, { status: 401 })
    }
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function openPage() {
  vi.resetModules()
  const [verifying, callerIds, toasts, session, { loadUser }] = await Promise.all([
    import('./verify-caller-id.ts'),
    import('./caller-ids.ts'),
    import('#session/toasts.ts'),
    import('#session/session.ts'),
    import('#session/user.ts'),
  ])
  callerIds.followCallerIds()
  await loadUser()
  return { ...verifying, ...callerIds, ...toasts, ...session, state: () => verifying.$verification.get() }
}

test('a verified number is what calls show from then on, and the page says so', async () => {
  localStorage.setItem('token', tokenFor(600))
  const page = await openPage()
  await page.addCallerId()
  // A trunk zero that the numbering plan has no room for.
  await page.submitNumber('+44 07700 900142')
  expect(requested).toEqual([{ phoneNumber: own }])
  expect(page.state()).toEqual({ state: 'waiting', number: own, code: '482915', progress: 'calling' })
  verified = [own]
  vi.advanceTimersByTime(10_000)
  await vi.waitFor(() => expect(page.state()).toEqual({ state: 'closed' }))
  expect(page.$callFrom.get()).toBe(own)
  expect(page.$toasts.get()).toMatchObject([{ type: 'success', message: 'Number successfully verified!' }])
})

test('a visitor is sent to register', async () => {
  const page = await openPage()
  await page.addCallerId()
  expect(visited).toEqual(['/register'])
  expect(page.state()).toEqual({ state: 'closed' })
})

test('a log-out takes the code off the page', async () => {
  localStorage.setItem('token', tokenFor(600))
  const page = await openPage()
  await page.addCallerId()
  await page.submitNumber(own)
  page.endSession()
  expect(page.state()).toEqual({ state: 'closed' })
})
