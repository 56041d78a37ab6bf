import { beforeEach, expect, test, vi } from 'vitest'
import { answer, freshBrowser, refuse, serve, tokenFor } from '#support/fake-browser.ts'

let browser: ReturnType<typeof freshBrowser>
let bodies: string[]
let status: number

async function openPage(path: string) {
  vi.resetModules()
  const location = (browser.window as unknown as Window).location as unknown as { href: string }
  location.href = `http://localhost${path}`
  return import('./heard-about.ts')
}

beforeEach(async () => {
  browser = freshBrowser()
  bodies = []
  status = 204
  localStorage.setItem('token', tokenFor(900))
  await serve((request, response, body) => {
    if (request.url === '/api/auth/refresh-token') return refuse(response, 401, 'no_session')
    bodies.push(body)
    if (status === 204) answer(response, 204)
    else refuse(response, status, 'unavailable')
  })
})
test('answered, it leads on to where one was going', async () => {
  const page = await openPage('/heard-about?next=%2Fcall%3Fcountry%3Din')
  await page.openHeardAbout()
  expect(browser.visited).toEqual([])
  expect((await page.answerHeardAbout('friend', '')).ok).toBe(true)
  expect(bodies).toEqual(['{"source":"friend","detail":""}'])
  expect(browser.visited).toEqual(['/call?country=in'])
})

test('continues at once when skipped, even if the answer cannot be sent', async () => {
  const page = await openPage('/heard-about?next=/buy-credits')
  await page.openHeardAbout()
  status = 503
  page.skipHeardAbout()
  expect(browser.visited).toEqual(['/buy-credits'])
  await vi.waitFor(() => expect(bodies).toEqual(['{"source":null}']), 5000)
})

test('an answer that was not kept leaves the page as it is', async () => {
  const page = await openPage('/heard-about')
  await page.openHeardAbout()
  status = 503
  expect(await page.answerHeardAbout('other', 'a poster')).toMatchObject({ ok: false })
  expect(browser.visited).toEqual([])
})

test('a visitor logs in first and comes back', async () => {
  localStorage.clear()
  const page = await openPage('/heard-about')
  await page.openHeardAbout()
  expect(browser.visited).toEqual(['/login?next=%2Fheard-about'])
})

test('an address that leads away is not where the question leads', async () => {
  const page = await openPage('/heard-about?next=https://evil.example')
  await page.openHeardAbout()
  page.skipHeardAbout()
  expect(browser.visited).toEqual(['/call'])
})
