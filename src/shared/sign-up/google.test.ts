import { beforeEach, expect, test } from 'vitest'
import { answer, freshBrowser, openPage, serve, type TestServer, tokenFor } from '#support/fake-browser.ts'

let server: TestServer
let fresh: string
beforeEach(async () => {
  freshBrowser()
  fresh = tokenFor(900)
  server = await serve((request, response) =>
    request.url === '/api/auth/refresh-token'
      ? answer(response, 200, { token: fresh })
      : answer(response, 204, {}),
  )
})

test.each([
  ['whoever was signed in before', () => localStorage.setItem('token', tokenFor(600))],
  ['a logout that the server has not heard of', () => localStorage.setItem('unheardLogout', 'yes')],
  ['a logout just before', () => sessionStorage.setItem('loggedOut', 'yes')],
])('back from Google the new session is taken up, not %s', async (_what, before) => {
  before()
  window.location.href = 'http://localhost/login?signed_in=google'
  const page = await openPage()
  await page.start()
  expect(page.$session.get()).toEqual({ status: 'signed_in', token: fresh })
  expect(server.requests).toEqual(['POST /api/auth/refresh-token'])
})
