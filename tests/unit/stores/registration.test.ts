import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, type TestServer } from './browser.ts'

let server: TestServer
let browser: ReturnType<typeof freshBrowser>
let status: number

async function openPage() {
  vi.resetModules()
  return import('#stores/registration.ts')
}

beforeEach(async () => {
  browser = freshBrowser()
  status = 202
  server = await serve((_, response) =>
    status === 202 ? answer(response, 202, {}) : refuse(response, status, 'too_many_requests'),
  )
})
afterEach(async () => {
  await server.close()
  vi.unstubAllGlobals()
})

test('registering goes on to a page that knows the address and when the mail was sent', async () => {
  const page = await openPage()
  const before = Date.now()
  await page.register('anna@example.com', 'correct horse')
  expect(browser.visited).toEqual(['/check-email'])

  const next = await openPage()
  next.recallSentMail()
  expect(next.$sentMail.get()?.email).toBe('anna@example.com')
  expect(next.$sentMail.get()?.atMs).toBeGreaterThanOrEqual(before)
})

test('a refused registration stays where it is and remembers nothing', async () => {
  status = 429
  const page = await openPage()
  expect(await page.register('anna@example.com', 'correct horse')).toMatchObject({ ok: false, status: 429 })
  expect(browser.visited).toEqual([])
  expect(page.$sentMail.get()).toBeNull()
})

test('a page opened without registering knows no address', async () => {
  sessionStorage.setItem('confirmationMail', '{"email":1}')
  const page = await openPage()
  page.recallSentMail()
  expect(page.$sentMail.get()).toBeNull()
})

test('the mail may be asked for again after 30 seconds, and sending it starts them anew', async () => {
  const page = await openPage()
  const mail = { email: 'anna@example.com', atMs: 1_000_000 }
  expect(page.secondsUntilResend(null, 0)).toBe(0)
  expect(page.secondsUntilResend(mail, 1_000_000)).toBe(30)
  expect(page.secondsUntilResend(mail, 1_029_001)).toBe(1)
  expect(page.secondsUntilResend(mail, 1_030_000)).toBe(0)
  await page.resend('anna@example.com')
  expect(page.secondsUntilResend(page.$sentMail.get(), Date.now())).toBeGreaterThan(28)
})

test('a clock that was set back does not lock the visitor out', async () => {
  const { secondsUntilResend } = await openPage()
  expect(secondsUntilResend({ email: 'a@b.example', atMs: 9_000_000 }, 1_000_000)).toBe(0)
})
