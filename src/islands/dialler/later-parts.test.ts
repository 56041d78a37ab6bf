import { afterEach, expect, test, vi } from 'vitest'
import { keepPendingCall } from '#session/pending-call.ts'
import { freshBrowser } from '#support/fake-browser.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

/** The page after a checkout that was opened for a number, while another one was pending. */
async function openPage() {
  vi.resetModules()
  const browser = freshBrowser()
  Object.assign(browser.window, {
    history: { state: null, replaceState: () => undefined },
    matchMedia: () => browser.window,
  })
  vi.stubGlobal(
    'document',
    Object.assign(new EventTarget(), { documentElement: { lang: 'en' }, visibilityState: 'visible' }),
  )
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('failed to fetch')))
  const [{ follow }, dial] = await Promise.all([import('./later-parts.ts'), import('./number/dial.ts')])
  return { follow, ...dial }
}

test('the number that a top-up was for comes before a pending one, and its country is no choice', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const page = await openPage()
  keepPendingCall({ country: 'gb', typed: '+442079460958', extension: '', formatted: '' })
  const callee = {
    e164: '+919876543210',
    isoCode: 'IN',
    extension: ',,12',
    userId: null,
    keptAtMs: Date.now(),
  }
  sessionStorage.setItem('callAfterCheckout', JSON.stringify(callee))
  await page.follow()
  expect([page.$dial.get().country.isoCode, page.$dial.get().typed]).toEqual(['IN', '+919876543210'])
  expect(page.$extension.get()).toBe(',,12')
  page.setNumber('')
  expect(page.$dial.get().country.isoCode).toBe('US')
})

test('a pending number brings its country, which is gone with its prefix', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const page = await openPage()
  localStorage.setItem('dialCountry', 'us')
  keepPendingCall({ country: 'in', typed: '+919876543210', extension: '', formatted: '' })
  await page.follow()
  expect(page.$dial.get().country.isoCode).toBe('IN')
  page.setNumber('')
  expect(page.$dial.get().country.isoCode).toBe('US')
  expect(localStorage.getItem('dialCountry')).toBe('us')
})
