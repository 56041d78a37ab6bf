import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshBrowser } from '#support/fake-browser.ts'

const dialler = '/call?country=in'
const registerAddress = `https://farline.example/register?next=${encodeURIComponent(dialler)}`
const loginAddress = 'https://farline.example/login'

async function openPage() {
  vi.resetModules()
  return import('./return-path.ts')
}

beforeEach(() => {
  vi.useFakeTimers()
  freshBrowser()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the login leads once to the page that was wanted before registering', async () => {
  const registering = await openPage()
  registering.rememberReturnPath(registerAddress)
  const loggingIn = await openPage()
  expect(loggingIn.consumeReturnPath(loginAddress, '/call')).toBe(dialler)
  expect(loggingIn.consumeReturnPath(loginAddress, '/call')).toBe('/call')
})

test('what the login itself was asked for goes first', async () => {
  const page = await openPage()
  page.rememberReturnPath(registerAddress)
  expect(page.consumeReturnPath(`${loginAddress}?next=/call-history`, '/call')).toBe('/call-history')
  expect(page.consumeReturnPath(loginAddress, '/call')).toBe('/call')
})

test('forgets a return path when the confirmation link stops working', async () => {
  const page = await openPage()
  page.rememberReturnPath(registerAddress)
  vi.advanceTimersByTime(24 * 3600 * 1000)
  expect(page.consumeReturnPath(loginAddress, '/call')).toBe('/call')
})

test.each(['https://evil.example/', '//evil.example', '/login'])(
  'an address that leads away or in circles is no return path: %s',
  async next => {
    const page = await openPage()
    page.rememberReturnPath(`https://farline.example/register?next=${encodeURIComponent(next)}`)
    expect(localStorage.getItem('afterRegistration')).toBeNull()
    expect(page.consumeReturnPath(loginAddress, '/call')).toBe('/call')
    localStorage.setItem('afterRegistration', JSON.stringify({ path: next, atMs: Date.now() }))
    expect(page.consumeReturnPath(loginAddress, '/call')).toBe('/call')
  },
)

test('registering without a return path, or with one that something else wrote, changes nothing', async () => {
  const page = await openPage()
  page.rememberReturnPath('https://farline.example/register')
  expect(page.consumeReturnPath(loginAddress, '/call')).toBe('/call')
  localStorage.setItem('afterRegistration', '{"path":1}')
  expect(page.consumeReturnPath(loginAddress, '/call')).toBe('/call')
})
