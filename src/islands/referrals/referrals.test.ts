import { beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, storageEvent, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>
let failing: boolean

const shown = {
  link: 'https://farline.example/?ref=abcdefgh',
  reward: 5,
  leastPayment: 10,
  monthlyMost: 50,
  joined: 0,
  paid: 0,
  earned: 0,
  people: [],
}

async function openPage() {
  vi.resetModules()
  return import('./referrals.ts')
}

beforeEach(async () => {
  browser = freshBrowser()
  failing = false
  await serve((request, response) => {
    if (request.url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    if (failing) return refuse(response, 503, 'unavailable')
    return answer(response, 200, shown)
  })
})

test('shows the link, and copies it when asked', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.openReferrals()
  expect(page.$referrals.get()).toEqual({ state: 'ready', value: shown })
  const written: string[] = []
  vi.stubGlobal('navigator', { clipboard: { writeText: async (text: string) => written.push(text) } })
  await page.copyLink()
  expect(written).toEqual([shown.link])
  expect(page.$copied.get()).toBe('copied')
})

test('says so if the browser allows no copying', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.openReferrals()
  vi.stubGlobal('navigator', {})
  await page.copyLink()
  expect(page.$copied.get()).toBe('failed')
})

test('says what failed, and loads when it is tried again', async () => {
  localStorage.setItem('token', tokenFor(60))
  failing = true
  const page = await openPage()
  await page.openReferrals()
  expect(page.$referrals.get()).toMatchObject({ state: 'failed' })
  failing = false
  await page.openReferrals()
  expect(page.$referrals.get()).toMatchObject({ state: 'ready' })
})

test('sends a visitor to log in and come back', async () => {
  const page = await openPage()
  await page.openReferrals()
  expect(browser.visited).toEqual(['/login?next=%2Freferrals'])
})

test('logged out in another tab, the link and who came by it go, and the page asks to log in', async () => {
  localStorage.setItem('token', tokenFor(60))
  const page = await openPage()
  await page.openReferrals()
  localStorage.removeItem('token')
  browser.window.dispatchEvent(storageEvent('token'))
  expect(page.$referrals.get()).toEqual({ state: 'loading' })
  await vi.waitFor(() => expect(browser.visited).toEqual(['/login?next=%2Freferrals']))
})
