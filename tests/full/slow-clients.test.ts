import { afterAll, beforeAll, expect, test } from 'vitest'
import { dribble, slowBody, slowHeaders } from '#support/slow-clients.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'

/** 500 at once who are slow to ask are cut off, and nobody else waits for them: against the whole server. */

let server: TestServer
let port: number
beforeAll(async () => {
  server = await startTestServer()
  port = Number(new URL(server.url).port)
})
afterAll(() => server.close())

/** Asks again and again while they dribble; gives the longest that an answer took, in milliseconds. */
async function answersUntil(over: Promise<unknown>): Promise<number> {
  let longestMs = 0
  let going = true
  void over.then(() => (going = false))
  while (going) {
    const begun = performance.now()
    expect((await fetch(`${server.url}/api/site`)).status).toBe(200)
    longestMs = Math.max(longestMs, performance.now() - begun)
    await new Promise(resolve => setTimeout(resolve, 50))
  }
  return longestMs
}

test.each([
  ['headers', slowHeaders, 10_000],
  ['bodies', slowBody, 30_000],
])('500 slow %s are closed in time, and others are answered', async (_what, beginning, limitMs) => {
  const slow = Promise.all(Array.from({ length: 500 }, () => dribble(port, beginning)))
  const longestMs = await answersUntil(slow)
  const lasted = (await slow).map(({ lastedMs }) => lastedMs)
  expect(Math.min(...lasted)).toBeGreaterThan(limitMs - 1000)
  expect(Math.max(...lasted)).toBeLessThan(limitMs + 5000)
  expect(longestMs).toBeLessThan(2000)
})
