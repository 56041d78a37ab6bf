import { beforeEach, expect, test, vi } from 'vitest'
import { keepPendingCall } from '#session/pending-call.ts'
import { rememberReturnPathFor } from '#session/return-path.ts'
import { exampleUser } from '#support/example-user.ts'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from '#support/fake-browser.ts'

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
let status: number
let bodies: string[]

/** A page at this address, whose history notes what replaces it. */
async function openPage(href: string) {
  vi.resetModules()
  const replaced: string[] = []
  const history = { state: null, replaceState: (_: unknown, __: string, url: URL) => replaced.push(url.href) }
  Object.assign(browser.window, { history })
  Object.assign((browser.window as unknown as Window).location, { href })
  return { ...(await import('./verification.ts')), replaced }
}

beforeEach(async () => {
  browser = freshBrowser()
  status = 200
  bodies = []
  server = await serve((_, response, body) => {
    bodies.push(body)
    const codes: Record<number, string> = { 409: 'email_taken', 410: 'link_expired' }
    if (status === 200) answer(response, 200, { email: 'new@example.com' })
    else refuse(response, status, codes[status] ?? 'unavailable')
  })
})

test.each([
  'http://localhost/verify-email?utm=x#token=abc',
  // Mails of an earlier version.
  'http://localhost/verify-email?token=abc&utm=x',
])('confirms once even when asked repeatedly, removes the token from %s, and continues', async address => {
  const page = await openPage(address)
  await Promise.all([page.verify(), page.verify()])
  await page.verify()
  expect(bodies).toEqual(['{"token":"abc"}'])
  expect(page.replaced).toEqual(['http://localhost/verify-email?utm=x'])
  expect(browser.visited).toEqual(['/email-verified'])
})

test('leads a signed-in user back to what they wanted before signing up', async () => {
  rememberReturnPathFor('/buy-credits?amount=25')
  localStorage.setItem('token', tokenFor(900))
  const user = await openPage('http://localhost/verify-email#token=abc')
  await user.verify()
  const again = await openPage('http://localhost/verify-email#token=abc')
  await again.verify()
  expect(browser.visited).toEqual(['/buy-credits?amount=25', '/email-verified'])
})

test('leads a signed-in user straight to the number that waits; others learn what is ready', async () => {
  keepPendingCall({ country: 'in', typed: '+919876543210', extension: '', formatted: '+91 98765 43210' })
  const visitor = await openPage('http://localhost/verify-email#token=abc')
  await visitor.verify()
  localStorage.setItem('token', tokenFor(900))
  const user = await openPage('http://localhost/verify-email#token=abc')
  await user.verify()
  expect(browser.visited).toEqual(['/email-verified', '/call'])
  expect(sessionStorage.getItem('toast')).toContain('Your e-mail is verified.')
})

test('a link of another account says nothing of the one signed in here, which stays', async () => {
  const anna = { ...exampleUser, email: 'anna@example.com', email_verified: true }
  await serve((request, response) => answer(response, 200, request.method === 'GET' ? anna : {}))
  localStorage.setItem('token', tokenFor(900))
  const page = await openPage('http://localhost/verify-email#token=ben')
  await page.verify()
  expect(page.$verification.get()).toEqual({ state: 'other_verified', signedInEmail: 'anna@example.com' })
  expect(browser.visited).toEqual([])
  expect(sessionStorage.getItem('toast')).toBeNull()
  expect(sessionStorage.getItem('confirmed')).toBeNull()
})

test('a user’s own link says that the address is verified', async () => {
  let isVerified = false
  await serve((request, response) => {
    if (request.method === 'POST') isVerified = true
    answer(response, 200, request.method === 'GET' ? { ...exampleUser, email_verified: isVerified } : {})
  })
  localStorage.setItem('token', tokenFor(900))
  const page = await openPage('http://localhost/verify-email#token=abc')
  await page.verify()
  expect(browser.visited).toEqual(['/email-verified'])
})

test.each([
  [200, { state: 'changed', email: 'new@example.com' }],
  [409, { state: 'change_taken' }],
  [410, { state: 'change_expired' }],
])('a new address of an account: what the page says when the answer is %i', async (answered, shown) => {
  status = answered
  const page = await openPage('http://localhost/verify-email?change=abc')
  await Promise.all([page.verify(), page.verify()])
  await page.verify()
  expect(bodies).toEqual(['{"token":"abc"}'])
  expect(server.requests).toEqual(['POST /api/auth/confirm-email-change'])
  expect(page.replaced).toEqual(['http://localhost/verify-email'])
  expect(page.$verification.get()).toEqual(shown)
  expect(browser.visited).toEqual([])
})

test.each(['http://localhost/verify-email', 'http://localhost/verify-email?token='])(
  'at %s there is nothing to confirm',
  async href => {
    const page = await openPage(href)
    await page.verify()
    expect(page.$verification.get()).toEqual({ state: 'no_token' })
    expect(bodies).toEqual([])
  },
)

test('a link that expired or was used says so', async () => {
  status = 410
  const page = await openPage('http://localhost/verify-email?token=abc')
  await page.verify()
  expect(page.$verification.get()).toEqual({ state: 'expired' })
  expect(browser.visited).toEqual([])
})

test('when the server cannot say, the same link can be tried again', async () => {
  status = 503
  const page = await openPage('http://localhost/verify-email?token=abc')
  await page.verify()
  expect(page.$verification.get()).toMatchObject({ state: 'failed' })
  status = 200
  await page.verify()
  expect(bodies).toEqual(['{"token":"abc"}', '{"token":"abc"}'])
  expect(browser.visited).toEqual(['/email-verified'])
})
