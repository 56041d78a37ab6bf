import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { exampleUser } from '#support/example-user.ts'
import { freshBrowser, tokenFor } from '#support/fake-browser.ts'

let posted: boolean[]
let answer: (enabled: boolean) => Promise<Response> | Response

beforeEach(() => {
  vi.resetModules()
  posted = []
  answer = enabled => Response.json({ auto_topup_enabled: enabled })
})
afterEach(() => {
  vi.unstubAllGlobals()
})

/** The page of somebody, once the server has said who they are. */
async function openPage({ signedIn = true, card = false, enabled = false, trouble = '' } = {}) {
  freshBrowser()
  if (signedIn) localStorage.setItem('token', tokenFor(600))
  const user = {
    ...exampleUser,
    auto_topup_enabled: enabled,
    auto_topup_trouble: trouble === '' ? null : trouble,
    hasSavedPaymentMethod: card,
  }
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    if (path === '/api/protected/me') return Response.json(user)
    if (path !== '/api/payments/auto-topup-toggle') return Response.json({}, { status: 401 })
    const { autoTopUpEnabled } = JSON.parse(String(init.body))
    posted.push(autoTopUpEnabled)
    return answer(autoTopUpEnabled)
  })
  const { loadUser } = await import('#session/user.ts')
  const store = await import('./auto-top-up.ts')
  const { $toasts } = await import('#session/toasts.ts')
  store.followAutoTopUp()
  await loadUser()
  return { ...store, loadUser, said: () => $toasts.get().map(({ type, message }) => [type, message]) }
}

test('switching on with a saved card reports to the server', async () => {
  const { setAutoTopUp, $autoTopUp, said } = await openPage({ card: true })
  await setAutoTopUp(true)
  expect(posted).toEqual([true])
  expect($autoTopUp.get()).toBe(true)
  expect(said()).toEqual([['success', 'Auto top-up enabled.']])
})

test('switching off reports to the server', async () => {
  const { setAutoTopUp, $autoTopUp, said } = await openPage({ card: true, enabled: true })
  expect($autoTopUp.get()).toBe(true)
  await setAutoTopUp(false)
  expect(posted).toEqual([false])
  expect($autoTopUp.get()).toBe(false)
  expect(said()).toEqual([['success', 'Auto top-up disabled.']])
})

test.each([
  ['without a saved card', { signedIn: true }],
  ['as a visitor', { signedIn: false }],
])('on %s is set in the page alone, and stays when the user is loaded again', async (_, who) => {
  const { setAutoTopUp, $autoTopUp, loadUser, said } = await openPage(who)
  await setAutoTopUp(true)
  expect(posted).toEqual([])
  expect(said()).toEqual([['info', 'Make a credit purchase to save your card for auto top-up']])
  await loadUser()
  expect($autoTopUp.get()).toBe(true)
})

test('treats a card that is gone by then as no card', async () => {
  answer = () => Response.json({ error: { code: 'no_saved_card', message: 'No card.' } }, { status: 409 })
  const { setAutoTopUp, $autoTopUp, said } = await openPage({ card: true })
  await setAutoTopUp(true)
  expect($autoTopUp.get()).toBe(true)
  expect(said()).toEqual([['info', 'Make a credit purchase to save your card for auto top-up']])
})

test("returns to the server's state after a rejection, and says so", async () => {
  answer = () => Response.json({}, { status: 500 })
  const { setAutoTopUp, $autoTopUp, said } = await openPage({ card: true, enabled: true })
  await setAutoTopUp(false)
  expect($autoTopUp.get()).toBe(true)
  expect(said()).toEqual([['error', 'Something went wrong. Please try again.']])
})

test('switched back and forth, the last switch counts and reaches the server last', async () => {
  const first = Promise.withResolvers<Response>()
  const { setAutoTopUp, $autoTopUp, said } = await openPage({ card: true })
  answer = enabled => (posted.length === 1 ? first.promise : Response.json({ auto_topup_enabled: enabled }))
  const turns = [setAutoTopUp(true)]
  await vi.waitFor(() => expect(posted).toEqual([true]))
  turns.push(setAutoTopUp(false), setAutoTopUp(true), setAutoTopUp(false))
  expect($autoTopUp.get()).toBe(false)
  first.resolve(Response.json({ auto_topup_enabled: true }))
  await Promise.all(turns)
  expect(posted).toEqual([true, false])
  expect($autoTopUp.get()).toBe(false)
  expect(said()).toEqual([['success', 'Auto top-up disabled.']])
})

const paused = 'Auto top-up is paused, because your card was declined again.'

test('keeps the reason why it brought nothing until the switch is turned', async () => {
  const { setAutoTopUp, $autoTopUpTrouble } = await openPage({ card: true, trouble: paused })
  expect($autoTopUpTrouble.get()).toBe(paused)
  await setAutoTopUp(true)
  expect($autoTopUpTrouble.get()).toBeNull()
})

test('keeps that reason if the server did not accept the change, or there is no card', async () => {
  answer = () => Response.json({}, { status: 500 })
  const refused = await openPage({ card: true, trouble: paused })
  await refused.setAutoTopUp(true)
  expect(refused.$autoTopUpTrouble.get()).toBe(paused)
  vi.resetModules()
  const cardless = await openPage({ trouble: paused })
  await cardless.setAutoTopUp(true)
  expect(cardless.$autoTopUpTrouble.get()).toBe(paused)
})
