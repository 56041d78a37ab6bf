import { beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser, refuse, serve } from '#support/fake-browser.ts'

const code = 'K7QM-2F9X-TB4C-0WZ8-RN5A'
let browser: ReturnType<typeof freshBrowser>
const address = () => (browser.window as unknown as Window).location as unknown as { href: string }

async function openPage(path: string) {
  vi.resetModules()
  address().href = `http://localhost${path}`
  const replaceState = (_: unknown, __: string, url: URL) => {
    address().href = url.href
  }
  Object.assign(browser.window, { history: { state: null, replaceState } })
  const redeem = await import('./redeem.ts')
  await redeem.openRedeem()
  return redeem
}

beforeEach(async () => {
  browser = freshBrowser()
  await serve((_request, response) => refuse(response, 401, 'no_session'))
})

test('takes the code out of the address, keeps it for the tab, and asks a visitor to sign in', async () => {
  const { $code, $redemption } = await openPage(`/redeem#code=${code.toLowerCase()}`)
  expect(address().href).not.toContain('7qm')
  expect($code.get()).toBe(code)
  expect($redemption.get()).toEqual({ state: 'visitor' })
  const again = await openPage('/redeem')
  expect(again.$code.get()).toBe(code)
})

test('carries the code to another tab of this browser, beside the way back and never in it', async () => {
  const { signIn } = await openPage(`/redeem#code=${code}`)
  signIn('/register')
  expect(browser.visited).toEqual(['/register'])
  expect(localStorage.getItem('afterRegistration')).toContain('"/redeem"')
  sessionStorage.clear()
  const elsewhere = await openPage('/redeem')
  expect(elsewhere.$code.get()).toBe(code)
  expect(localStorage.getItem('giftCode')).toBeNull()
})

test('says what is wrong with a text that can be no code, and loses nothing', async () => {
  const { $code, $redemption, lookUp, typeCode } = await openPage('/redeem')
  expect($redemption.get()).toEqual({ state: 'asking', fault: null })
  typeCode('K7QM-2F9X')
  await lookUp()
  expect($redemption.get()).toMatchObject({ state: 'asking', fault: expect.stringContaining('20 letters') })
  expect($code.get()).toBe('K7QM-2F9X')
})
