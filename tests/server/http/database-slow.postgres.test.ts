import { afterAll, afterEach, expect, test } from 'vitest'
import { openPostgres } from '#server/db/postgres.ts'
import { createLog } from '#server/http/log.ts'
import { signAccessToken } from '#server/identity/access-token.ts'
import { openApp } from '#support/app.ts'
import { keepForFile } from '#support/file-world.ts'
import { startSlowLine } from '#support/slow-line.ts'
import { createWorld } from '#support/world.ts'

/** A slow database, and a pool full of waiting requests, reject in time and lose nothing. */

const limits = { poolSize: 2, waitMs: 400, waiting: 4, statementMs: 500 }
const logged: { level: number; msg: string; err?: { message: string } }[] = []
const world = keepForFile(await createWorld())
const url = new URL(world.databaseUrl ?? '')
const line = await startSlowLine({ host: url.hostname, port: Number(url.port) })
url.port = String(line.port)
const db = await openPostgres(url.href, limits)
const user = await world.addUser()
const token = await signAccessToken(world.services.keys.access, user.id, world.clock)
const app = await openApp({
  services: { ...world.services, db },
  log: createLog('error', { write: text => logged.push(JSON.parse(text)) }),
})
afterEach(() => {
  line.delayMs = 0
  logged.splice(0)
})
afterAll(async () => {
  await app.close()
  await db.close()
  await line.close()
})

async function me() {
  const begun = performance.now()
  const answer = await app.inject({
    url: '/api/protected/me',
    headers: { authorization: `Bearer ${token}` },
  })
  return { answer, status: answer.statusCode, ms: performance.now() - begun }
}

test('as many requests wait as there is room for; the others are told at once to try again', async () => {
  line.delayMs = 300
  const answers = await Promise.all(Array.from({ length: 40 }, me))
  const refused = answers.filter(({ status }) => status === 503)
  // Two have a session and four may wait for one.
  expect(refused.length).toBeGreaterThanOrEqual(40 - limits.poolSize - limits.waiting)
  expect(refused.length).toBeLessThan(40)
  for (const { answer } of refused) {
    expect(answer.headers['retry-after']).toBe('2')
    expect(answer.json().error.code).toBe('unavailable')
  }
  // Nobody waits longer than for a session, and for one to open.
  for (const { ms } of answers) expect(ms).toBeLessThan(8000)
  expect(line.open()).toBeLessThanOrEqual(limits.poolSize)
  expect(logged.map(({ err }) => err?.message)).toContain('too many requests wait for the database')
  line.delayMs = 0
  await expect.poll(async () => (await me()).status).toBe(200)
})

test('a database from which nothing comes is given up, and had again when something does', async () => {
  expect((await me()).status).toBe(200)
  line.delayMs = Number.POSITIVE_INFINITY
  const { status, ms } = await me()
  expect(status).toBe(503)
  // The statement's own limit, and 5 s for the answer.
  expect(ms).toBeLessThan(limits.statementMs + 9000)
  line.delayMs = 0
  await expect.poll(async () => (await me()).status, { timeout: 15_000 }).toBe(200)
})
