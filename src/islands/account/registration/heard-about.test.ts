import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>
let bodies: string[]
let status: number
let replaced: string[]

async function openPage(path: string) {
  vi.resetModules()
  const location = (browser.window as unknown as Window).location as unknown as { href: string }
  location.href = `http://localhost${path}`
  replaced = []
  const history = { state: null, replaceState: (_: unknown, __: string, url: string) => replaced.push(url) }
  Object.assign(browser.window, { history })
  const [heardAbout, returnPath] = await Promise.all([
    import('./heard-about.ts'),
    import('#session/return-path.ts'),
  ])
  return { ...heardAbout, ...returnPath }
}

beforeEach(async () => {
  browser = freshBrowser()
  bodies = []
  status = 204
  localStorage.setItem('token', tokenFor(900))
  await serve((request, response, body) => {
    if (request.url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    bodies.push(body)
    if (status === 204) answer(response, 204)
    else refuse(response, status, 'unavailable')
  })
})
afterEach(() => {
  vi.useRealTimers()
})

test('after a confirmation the way in leads past the question, once, and then where one was going', async () => {
  const verifying = await openPage('/verify-email')
  verifying.rememberReturnPathFor('/call?country=in')
  verifying.noteConfirmed()

  const login = await openPage('/login')
  const next = login.pathAfterSignIn('http://localhost/login')
  expect(next).toBe('/heard-about?next=%2Fcall%3Fcountry%3Din')

  const page = await openPage(next)
  await page.openHeardAbout()
  expect(browser.visited).toEqual([])
  expect((await page.answerHeardAbout('friend', '')).ok).toBe(true)
  expect(bodies).toEqual(['{"source":"friend","detail":""}'])
  expect(browser.visited).toEqual(['/call?country=in'])
  expect(page.pathAfterSignIn('http://localhost/login')).toBe('/call')
})

test('asks nobody without a confirmation', async () => {
  const login = await openPage('/login')
  expect(login.pathAfterSignIn('http://localhost/login?next=/call-history')).toBe('/call-history')
})

test('asks nobody a day later', async () => {
  const verifying = await openPage('/verify-email')
  verifying.noteConfirmed()
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3600 * 1000 })
  expect(verifying.pathAfterSignIn('http://localhost/login')).toBe('/call')
})

test('from the page of a confirmed address it comes once; a reload asks again and still knows the way', async () => {
  const page = await openPage('/heard-about?once')
  page.noteConfirmed()
  page.rememberReturnPathFor('/buy-credits')
  await page.openHeardAbout()
  expect(browser.visited).toEqual([])
  expect(replaced).toEqual(['/heard-about?next=%2Fbuy-credits'])

  const reloaded = await openPage(replaced[0] ?? '')
  await reloaded.openHeardAbout()
  expect(browser.visited).toEqual([])

  const again = await openPage('/heard-about?once')
  await again.openHeardAbout()
  expect(browser.visited).toEqual(['/call'])
})

test('continues at once when skipped, even if the answer cannot be sent', async () => {
  const page = await openPage('/heard-about?next=/buy-credits')
  await page.openHeardAbout()
  status = 503
  page.skipHeardAbout()
  expect(browser.visited).toEqual(['/buy-credits'])
  await vi.waitFor(() => expect(bodies).toEqual(['{"source":null}']), 5000)
})

test('an answer that was not kept leaves the page as it is', async () => {
  const page = await openPage('/heard-about')
  await page.openHeardAbout()
  status = 503
  expect(await page.answerHeardAbout('other', 'a poster')).toMatchObject({ ok: false })
  expect(browser.visited).toEqual([])
})

test('a visitor logs in first and comes back', async () => {
  localStorage.clear()
  const page = await openPage('/heard-about')
  await page.openHeardAbout()
  expect(browser.visited).toEqual(['/login?next=%2Fheard-about'])
  page.noteConfirmed()
  expect(page.pathAfterSignIn('http://localhost/login?next=%2Fheard-about')).toBe('/heard-about')
})

test('an address that leads away is not where the question leads', async () => {
  const page = await openPage('/heard-about?next=https://evil.example')
  await page.openHeardAbout()
  page.skipHeardAbout()
  expect(browser.visited).toEqual(['/call'])
})
