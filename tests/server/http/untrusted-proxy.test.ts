// @module-tag one-engine
import { expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { openApp } from '#support/app.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

test.each([
  [0, 1],
  [1, 0],
])('with %i trusted proxies logs a proxy in front %i times', async (trustedProxies, times) => {
  const logged: string[] = []
  const app = await openApp({
    config: { trustedProxies },
    services: world.services,
    log: createLog('warn', { write: line => logged.push(JSON.parse(line).msg) }),
  })
  await app.inject('/api/healthz')
  expect(logged).toEqual([])
  for (const address of ['203.0.113.9', '203.0.113.10']) {
    await app.inject({ url: '/api/healthz', headers: { 'x-forwarded-for': address } })
  }
  expect(logged).toHaveLength(times)
  for (const line of logged) expect(line).not.toContain('203.0.113')
  await app.close()
})
