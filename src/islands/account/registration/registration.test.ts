import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { defaultBudgets } from '#server/limits/budget-policy.ts'
import { answer, freshBrowser, refuse, serve, type TestServer, tokenFor } from '#support/fake-browser.ts'

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
let registerStatus: number
let loginStatus: number
let verified: boolean

const account = {
  id: 'u1',
  email: 'anna@example.com',
  credits: 0,
  has_used_free_call: false,
  auto_topup_enabled: false,
  can_call: true,
  hide: false,
  has_submitted_feedback: false,
  has_made_call: false,
  hasSavedPaymentMethod: false,
}

async function openPage() {
  vi.resetModules()
  const [registration, signUp, mail, session] = await Promise.all([
    import('./registration.ts'),
    import('#shared/sign-up/register.ts'),
    import('#shared/sign-up/sent-mail.ts'),
    import('#session/session.ts'),
  ])
  return { ...registration, ...signUp, ...mail, ...session }
}

beforeEach(async () => {
  browser = freshBrowser()
  vi.stubGlobal(
    'document',
    Object.assign(new EventTarget(), { visibilityState: 'visible', documentElement: { dataset: {} } }),
  )
  registerStatus = 202
  loginStatus = 200
  verified = false
  server = await serve((request, response) => {
    switch (request.url) {
      case '/api/auth/login':
        if (loginStatus === 200) return answer(response, 200, { token: tokenFor(900) })
        return refuse(response, loginStatus, loginStatus === 401 ? 'wrong_credentials' : 'too_many_requests')
      case '/api/auth/logout':
        return answer(response, 204)
      case '/api/auth/refresh-token':
        return refuse(response, 401, 'no_session')
      case '/api/protected/me':
        return answer(response, 200, { ...account, email_verified: verified })
      default:
        if (registerStatus === 202) return answer(response, 202, {})
        refuse(response, registerStatus, 'too_many_requests')
    }
  })
})
afterEach(() => {
  vi.useRealTimers()
})

test('continues to a page that knows the address and when the e-mail was sent', async () => {
  const page = await openPage()
  const before = Date.now()
  await page.register('anna@example.com', 'correct horse')
  expect(browser.visited).toEqual(['/check-email'])

  const next = await openPage()
  next.recallSentMail()
  expect(next.$sentMail.get()?.email).toBe('anna@example.com')
  expect(next.$sentMail.get()?.atMs).toBeGreaterThanOrEqual(before)
})

test('signs in a user who registers, so that nothing has to be typed again after the confirmation', async () => {
  const page = await openPage()
  await page.register('anna@example.com', 'correct horse')
  expect(page.$session.get().status).toBe('signed_in')
  expect(localStorage.getItem('token')).toBe(page.currentToken())
})

test.each([401, 429, 503])(
  'an address that cannot be signed in to (%i) goes the same way, signed out',
  async status => {
    loginStatus = status
    const page = await openPage()
    await page.register('anna@example.com', 'correct horse')
    expect(browser.visited).toEqual(['/check-email'])
    expect(localStorage.getItem('token')).toBeNull()
  },
)

test('stays on the page after a rejected registration, signs nobody in and remembers nothing', async () => {
  registerStatus = 429
  const page = await openPage()
  expect(await page.register('anna@example.com', 'correct horse')).toMatchObject({ ok: false, status: 429 })
  expect(browser.visited).toEqual([])
  expect(page.$sentMail.get()).toBeNull()
  expect(server.requests).toEqual(['POST /api/auth/register'])
})

test('a mistyped address is given up with its session', async () => {
  const page = await openPage()
  await page.register('ana@example.com', 'correct horse')
  await page.registerAnother()
  expect(browser.visited).toEqual(['/check-email', '/register'])
  expect(page.$session.get()).toEqual({ status: 'signed_out' })
  const next = await openPage()
  next.recallSentMail()
  expect(next.$sentMail.get()).toBeNull()
  await next.start()
  expect(next.$session.get()).toEqual({ status: 'signed_out' })
})

test('a waiting page continues once the link was opened, on any device', async () => {
  const page = await openPage()
  await page.register('anna@example.com', 'correct horse')
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const end = page.awaitConfirmation(() => undefined)
  await vi.waitFor(() => expect(server.requests).toContain('GET /api/protected/me'), 5000)
  expect(browser.visited).toEqual(['/check-email'])
  verified = true
  vi.advanceTimersByTime(5000)
  await vi.waitFor(() => expect(browser.visited).toEqual(['/check-email', '/email-verified']), 5000)
  expect(page.$sentMail.get()).toBeNull()
  end()
})

test('a page that waits in a tab of its own gets the address from the account', async () => {
  const registering = await openPage()
  await registering.register('anna@example.com', 'correct horse')
  sessionStorage.clear()
  const page = await openPage()
  const learnt = vi.fn()
  const end = page.awaitConfirmation(learnt)
  await vi.waitFor(() => expect(learnt).toHaveBeenCalledOnce(), 5000)
  expect(page.$sentMail.get()?.email).toBe('anna@example.com')
  expect(page.secondsUntilResend(page.$sentMail.get(), Date.now())).toBe(0)
  end()
})

test('a page opened without registering knows no address', async () => {
  sessionStorage.setItem('confirmationMail', '{"email":1}')
  const page = await openPage()
  page.recallSentMail()
  expect(page.$sentMail.get()).toBeNull()
})

test('offers the e-mail again when the server sends another, a little later, and restarts both times when it is sent', async () => {
  const page = await openPage()
  const mail = { email: 'anna@example.com', atMs: 1_000_000 }
  expect(page.secondsUntilResend(null, 0)).toBe(0)
  const serverMs = (defaultBudgets.confirmation_gap[0]?.windowSeconds ?? 0) * 1000
  expect(page.resendAfterMs).toBeGreaterThan(serverMs)
  expect(page.resendAfterMs).toBeLessThanOrEqual(serverMs + 5000)
  expect(page.secondsUntilResend(mail, 1_000_000)).toBe(page.resendAfterMs / 1000)
  expect(page.secondsUntilResend(mail, 1_000_000 + serverMs)).toBeGreaterThan(0)
  expect(page.secondsUntilResend(mail, 1_000_000 + page.resendAfterMs)).toBe(0)
  await page.resendConfirmation('anna@example.com')
  expect(page.secondsUntilResend(page.$sentMail.get(), Date.now())).toBeGreaterThan(
    page.resendAfterMs / 1000 - 10,
  )
})

test('a clock that was set back does not lock the visitor out', async () => {
  const { secondsUntilResend } = await openPage()
  expect(secondsUntilResend({ email: 'a@b.example', atMs: 9_000_000 }, 1_000_000)).toBe(0)
})
