import { beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>
let refused: [status: number, code: string] | null
let sent: unknown

beforeEach(async () => {
  vi.resetModules()
  browser = freshBrowser()
  localStorage.setItem('token', tokenFor(60))
  localStorage.setItem('pendingCall', '{}')
  localStorage.setItem('giftDraft', '{}')
  sessionStorage.setItem('callAfterCheckout', '{}')
  localStorage.setItem('callFrom', '{"userId":"u1","number":"+447700900142"}')
  refused = null
  await serve((_, response, body) => {
    sent = JSON.parse(body)
    return refused === null ? answer(response, 204) : refuse(response, ...refused)
  })
})

test('a deleted account is signed out, forgotten by this browser, and confirmed on the landing page', async () => {
  const { deleteAccount } = await import('./account-deletion.ts')
  const { $session, start } = await import('#session/session.ts')
  await start()
  await deleteAccount('anna@example.com', 'secret')
  expect(sent).toEqual({ confirm: 'anna@example.com', password: 'secret' })
  expect($session.get()).toEqual({ status: 'signed_out' })
  expect(localStorage).toHaveLength(0)
  expect(sessionStorage.getItem('callAfterCheckout')).toBeNull()
  expect(browser.visited).toEqual(['/'])
  expect(JSON.parse(sessionStorage.getItem('toast') ?? '')).toMatchObject({
    message: 'Your account has been deleted.',
  })
})

test.each([
  [403, 'wrong_password'],
  [400, 'wrong_confirmation'],
  [409, 'call_in_progress'],
  [409, 'payment_in_progress'],
  [503, 'unavailable'],
] as const)('refused with %i %s, everything stays', async (status, code) => {
  refused = [status, code]
  const { deleteAccount } = await import('./account-deletion.ts')
  const { $session } = await import('#session/session.ts')
  expect(await deleteAccount('anna@example.com', 'x')).toMatchObject({ ok: false, code })
  expect($session.get()).toMatchObject({ status: 'signed_in' })
  expect(localStorage.getItem('callFrom')).not.toBeNull()
  expect(browser.visited).toEqual([])
})
