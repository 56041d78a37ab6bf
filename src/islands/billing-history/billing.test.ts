import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import {
  answer,
  freshBrowser,
  refuse,
  serve,
  storageEvent,
  type TestServer,
  tokenFor,
} from '#support/fake-browser.ts'

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
/** Who has other lines than the rest. */
let other: string
/** What an answer with older lines waits for. */
let held: Promise<void>
let arrive: () => void

const user = { ...exampleUser, credits: 0, has_used_free_call: false }

function line(id: string) {
  const at = '2025-11-20T14:02:00.000Z'
  return {
    id,
    kind: 'payment',
    description: 'Credits bought',
    amount: 25,
    balance: 25,
    at,
    call: null,
    payment: null,
  }
}

async function openPage() {
  vi.resetModules()
  const billing = await import('./billing.ts')
  const ids = () => {
    const shown = billing.$billing.get()
    return shown.state === 'ready' ? shown.lines.map(({ id }) => id) : shown.state
  }
  return { ...billing, ids }
}

/** Another tab logs in, or out with null. */
function inAnotherTab(token: string | null): void {
  if (token === null) localStorage.removeItem('token')
  else localStorage.setItem('token', token)
  browser.window.dispatchEvent(storageEvent('token'))
}

beforeEach(async () => {
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60))
  other = tokenFor(60)
  held = new Promise(resolve => {
    arrive = resolve
  })
  server = await serve(({ url = '', headers }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost')
    if (pathname === '/api/protected/me') return answer(response, 200, user)
    if (pathname !== '/api/billing') return refuse(response, 401, 'no_session')
    const theirs = headers.authorization === `Bearer ${other}`
    if (!searchParams.has('cursor'))
      return answer(response, 200, { lines: [line(theirs ? 'x' : 'b')], nextCursor: theirs ? null : 'b' })
    void held.then(() => answer(response, 200, { lines: [line(theirs ? 'x' : 'a')], nextCursor: null }))
  })
})
afterEach(() => {
  arrive()
})

test('logged out in another tab, the lines go and the page asks to log in', async () => {
  const page = await openPage()
  await page.openBilling()
  expect(page.ids()).toEqual(['b'])
  inAnotherTab(null)
  expect(page.ids()).toBe('loading')
  await vi.waitFor(() => expect(browser.visited).toEqual(['/login?next=%2Fbilling-history']))
})

test('another user who logs in sees their own lines, none of those that were still loading', async () => {
  const page = await openPage()
  await page.openBilling()
  const older = page.showMore()
  inAnotherTab(other)
  expect(page.ids()).toBe('loading')
  await vi.waitFor(() => expect(page.ids()).toEqual(['x']))
  arrive()
  await older
  expect(page.ids()).toEqual(['x'])
})

test('a file that one user asked for never holds the lines of another', async () => {
  const page = await openPage()
  await page.openBilling()
  const file = page.loadCsv()
  await vi.waitFor(() => expect(server.requests.at(-1)).toContain('cursor=b'))
  inAnotherTab(other)
  arrive()
  expect(await file).toMatchObject({ ok: false })
})
