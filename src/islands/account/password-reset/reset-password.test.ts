import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>
let bodies: string[]
let status: number
let replaced: string[]

async function openPage(path: string) {
  vi.resetModules()
  replaced = []
  const history = { state: null, replaceState: (_: unknown, __: string, url: string) => replaced.push(url) }
  Object.assign(browser.window, { history })
  Object.assign((browser.window as unknown as Window).location, { href: `http://localhost${path}` })
  const [reset, session] = await Promise.all([import('./reset-password.ts'), import('#session/session.ts')])
  return { ...reset, ...session }
}

beforeEach(async () => {
  browser = freshBrowser()
  bodies = []
  status = 200
  await serve((request, response, body) => {
    bodies.push(`${request.url} ${body}`)
    if (status !== 200) return refuse(response, status, status === 410 ? 'link_expired' : 'unavailable')
    if (request.url === '/api/auth/forgot-password') return answer(response, 202, {})
    if (request.url === '/api/auth/reset-password/check')
      return answer(response, 200, { email: 'anna@example.com' })
    answer(response, 200, { token: tokenFor(900) })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([
  '/reset-password#token=a-b_c',
  // Mails of an earlier version.
  '/reset-password/a-b_c',
])('the token of %s leaves the address bar at once, and travels in bodies alone', async address => {
  const page = await openPage(address)
  const opening = page.openResetLink()
  expect(replaced.map(at => String(at).replace(/^http:\/\/[^/]+/, ''))).toEqual(['/reset-password'])
  await Promise.all([opening, page.openResetLink()])
  expect(bodies).toEqual(['/api/auth/reset-password/check {"token":"a-b_c"}'])
  expect(page.$resetLink.get()).toEqual({ state: 'open', email: 'anna@example.com' })
})

test('a Spanish link opens the Spanish page, and leads on in Spanish', async () => {
  vi.stubGlobal('document', { documentElement: { lang: 'es', dataset: {} } })
  const page = await openPage('/es/reset-password/abc')
  const { addLanguage } = await import('#lib/i18n/messages.ts')
  addLanguage('es', { 'password-reset': { changed: 'Cambiaste tu contraseña.' } })
  await page.openResetLink()
  expect(replaced).toEqual(['/es/reset-password'])
  await page.resetPassword('correct horse')
  expect(browser.visited).toEqual(['/es/call'])
})

test('the new password signs this browser in, and the next page says so', async () => {
  const page = await openPage('/reset-password/abc')
  await page.openResetLink()
  expect((await page.resetPassword('correct horse')).ok).toBe(true)
  expect(bodies.at(-1)).toBe('/api/auth/reset-password {"token":"abc","password":"correct horse"}')
  expect(localStorage.getItem('token')).toBe(page.currentToken())
  expect(browser.visited).toEqual(['/call'])
  expect(sessionStorage.getItem('toast')).toContain('Your password is changed')
})

test('a link that is too old says so before anything is typed', async () => {
  status = 410
  const page = await openPage('/reset-password/abc')
  await page.openResetLink()
  expect(page.$resetLink.get()).toEqual({ state: 'expired' })
})

test('a link that stops working while the form is open says so', async () => {
  const page = await openPage('/reset-password/abc')
  await page.openResetLink()
  status = 410
  expect(await page.resetPassword('correct horse')).toMatchObject({ ok: false, code: 'link_expired' })
  expect(page.$resetLink.get()).toEqual({ state: 'expired' })
  expect(localStorage.getItem('token')).toBeNull()
})

test('when the server cannot say, the same link can be tried again, and the form stays', async () => {
  status = 503
  const page = await openPage('/reset-password/abc')
  await page.openResetLink()
  expect(page.$resetLink.get()).toMatchObject({ state: 'failed' })
  status = 200
  await page.openResetLink()
  expect(page.$resetLink.get()).toMatchObject({ state: 'open' })
  status = 503
  expect(await page.resetPassword('correct horse')).toMatchObject({ ok: false, status: 503 })
  expect(page.$resetLink.get()).toMatchObject({ state: 'open' })
})

test.each(['/reset-password', '/reset-password/'])('at %s there is nothing to check', async path => {
  const page = await openPage(path)
  await page.openResetLink()
  expect(page.$resetLink.get()).toEqual({ state: 'no_token' })
  expect(bodies).toEqual([])
})

test('a link that was asked for is remembered by the tab, until another address is wanted', async () => {
  const page = await openPage('/forgot-password')
  await page.requestReset('anna@example.com')
  const next = await openPage('/forgot-password')
  next.recallResetMail()
  expect(next.$resetMail.get()?.email).toBe('anna@example.com')
  next.forgetResetMail()
  expect(sessionStorage.getItem('resetMail')).toBeNull()
})

test('forgets a message about a link when the link has stopped working', async () => {
  const page = await openPage('/forgot-password')
  await page.requestReset('anna@example.com')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 29 * 60_000 })
  const early = await openPage('/forgot-password')
  early.recallResetMail()
  expect(early.$resetMail.get()?.email).toBe('anna@example.com')
  vi.setSystemTime(Date.now() + 60_001)
  const late = await openPage('/forgot-password')
  late.recallResetMail()
  expect(late.$resetMail.get()).toBeNull()
  expect(sessionStorage.getItem('resetMail')).toBeNull()
})

test('a page that stays open forgets it too', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const mail = { email: 'anna@example.com', atMs: Date.now() }
  sessionStorage.setItem('resetMail', JSON.stringify(mail))
  const page = await openPage('/forgot-password')
  page.recallResetMail()
  vi.advanceTimersByTime(30 * 60_000 - 1)
  expect(page.$resetMail.get()).toEqual(mail)
  vi.advanceTimersByTime(1)
  expect(page.$resetMail.get()).toBeNull()
})

test('the sign-in of a new password ends a logout that the server has not received', async () => {
  localStorage.setItem('unheardLogout', 'yes')
  const page = await openPage('/reset-password/abc')
  await page.openResetLink()
  await page.resetPassword('correct horse')
  expect(localStorage.getItem('unheardLogout')).toBeNull()
  expect(page.currentToken()).not.toBeNull()
})
