import { beforeEach, expect, test, vi } from 'vitest'
import type { Security } from '#lib/api/second-factor.ts'
import { answer, freshBrowser, refuse, serve, storageEvent, tokenFor } from '#support/fake-browser.ts'

const security: Security = {
  passkeys: [],
  authenticator: null,
  recoveryCodesLeft: 10,
  signedInWithSecondFactor: true,
}
const codes = ['aaaa-bbbb', 'cccc-dddd']

let browser: ReturnType<typeof freshBrowser>
/** Runs before the answer to a change is sent. */
let beforeAnswer: () => void

beforeEach(async () => {
  vi.resetModules()
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60, 'anna'))
  beforeAnswer = () => undefined
  await serve((request, response) => {
    if (request.url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    if (request.method === 'GET') return answer(response, 200, security)
    beforeAnswer()
    answer(response, 200, { security, recoveryCodes: codes })
  })
})

test('new recovery codes are shown until they are dismissed', async () => {
  const page = await import('./security.ts')
  await page.loadSecurity()
  expect(await page.renewRecoveryCodes()).toMatchObject({ ok: true })
  expect(page.$newCodes.get()).toEqual(codes)
  expect(page.$security.get()).toEqual({ state: 'ready', value: security })
  page.forgetNewCodes()
  expect(page.$newCodes.get()).toBeNull()
})

test('another user who signs in before the answer never sees the codes', async () => {
  const page = await import('./security.ts')
  await page.loadSecurity()
  beforeAnswer = () => {
    localStorage.setItem('token', tokenFor(60, 'ben'))
    browser.window.dispatchEvent(storageEvent('token'))
  }
  await page.renewRecoveryCodes()
  expect(page.$newCodes.get()).toBeNull()
  expect(page.$security.get()).toEqual({ state: 'loading' })
})
