import { beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

let isVerified: boolean

const account = {
  id: 'u1',
  email: 'anna@example.com',
  credits: 0,
  has_used_free_call: true,
  auto_topup_enabled: false,
  can_call: true,
  hide: false,
  has_submitted_feedback: false,
  has_made_call: false,
  hasSavedPaymentMethod: false,
}

async function openPage() {
  vi.resetModules()
  return import('./confirmed.ts')
}

beforeEach(async () => {
  freshBrowser()
  isVerified = true
  await serve((request, response) =>
    request.url === '/api/protected/me'
      ? answer(response, 200, { ...account, email_verified: isVerified })
      : refuse(response, 401, 'no_session'),
  )
})

test('a visitor is not told that an address is verified', async () => {
  expect(await (await openPage()).knowConfirmation()).toEqual({ kind: 'unknown' })
})

test('the tab whose link has just confirmed one knows it, also after a reload', async () => {
  ;(await openPage()).noteConfirmed()
  const reloaded = await openPage()
  expect(await reloaded.knowConfirmation()).toMatchObject({ kind: 'verified', has_used_free_call: false })
})

test('of a signed-in user the server knows it', async () => {
  localStorage.setItem('token', tokenFor(900))
  const page = await openPage()
  page.noteConfirmed()
  expect(await page.knowConfirmation()).toMatchObject({ kind: 'verified', has_used_free_call: true })
  isVerified = false
  expect(await (await openPage()).knowConfirmation()).toEqual({ kind: 'unverified' })
})
