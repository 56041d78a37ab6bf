import { afterAll, expect, test } from 'vitest'
import { keepForFile } from '#support/file-world.ts'
import { startPostgres } from '#support/postgres.ts'
import { createWeb } from '#support/web.ts'

// One of its own, for it is going to crash.
const server = await startPostgres({ durable: true })
afterAll(() => server.stop())
const web = keepForFile(await createWeb({ engine: { kind: 'postgres', serverUrl: server.url } }))
const { token } = await web.signUp('person@example.com')

function me() {
  return web.app.inject({ url: '/api/protected/me', headers: { authorization: `Bearer ${token}` } })
}

test('while the database crashes and comes back, requests are told to try again, and then are answered', async () => {
  const answers: Awaited<ReturnType<typeof me>>[] = []
  let back = false
  const restarted = server.restart().then(() => {
    back = true
  })
  while (!back) answers.push(await me())
  await restarted
  const refused = answers.filter(answer => answer.statusCode !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused) {
    expect(answer.statusCode).toBe(503)
    expect(answer.headers['retry-after']).toBe('2')
    expect(answer.json().error).toEqual({
      code: 'unavailable',
      message: 'We are busy right now. Please try again in a moment.',
    })
  }
  await expect.poll(async () => (await me()).statusCode, { timeout: 10_000 }).toBe(200)
})
