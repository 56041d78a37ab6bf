// @module-tag slow
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openApp } from '#support/app.ts'
import { dribble, slowHeaders } from '#support/slow-clients.ts'

/** Who is slow to ask is cut off, and nobody waits for them; 500 of each at once are in `tests/full/slow-clients.test.ts`. */

let closeWorld: () => Promise<void>
let app: FastifyInstance
let port: number
beforeAll(async () => {
  // Imported late, so that this runs once: nothing in it is about the database.
  const { createWorld } = await import('#support/world.ts')
  const world = await createWorld()
  closeWorld = world.close
  app = await openApp({
    services: world.services,
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  port = (app.server.address() as AddressInfo).port
})
afterAll(async () => {
  app.server.closeAllConnections()
  await app.close()
  await closeWorld()
})

test('closes a client that dribbles headers after 10 s, and answers others meanwhile', async () => {
  const slow = Array.from({ length: 20 }, () => dribble(port, slowHeaders))
  const begun = performance.now()
  while (performance.now() - begun < 2000) {
    expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200)
  }
  for (const { lastedMs, heard } of await Promise.all(slow)) {
    expect(lastedMs).toBeGreaterThan(9000)
    expect(lastedMs).toBeLessThan(15_000)
    expect(heard).toMatch(/^HTTP\/1\.1 408 /)
  }
})

test('a body has 30 s to arrive', () => {
  expect(app.server.requestTimeout).toBe(30_000)
})
