import { expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { openApp } from '#support/app.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const world = keepForFile(await createWorld())

async function startApp({ exposeStandIns = false } = {}) {
  const logged: string[] = []
  const app = await openApp({
    config: { trustedProxies: 1, exposeStandIns },
    services: world.services,
    log: createLog('warn', { write: line => logged.push(line) }),
  })
  return { app, logged }
}

const fromElsewhere = [
  { remoteAddress: '192.168.1.30' },
  { remoteAddress: '::ffff:192.168.1.30' },
  { headers: { 'x-forwarded-for': '127.0.0.1' } },
  { headers: { forwarded: 'for=127.0.0.1' } },
  { headers: { 'x-real-ip': '127.0.0.1' } },
  { headers: { via: '1.1 tunnel' } },
  // A page of somebody else's, whose name leads to this machine.
  { headers: { host: 'attacker.example:4321' } },
]

test('the stand-ins answer this machine alone, whatever a proxy on it says', async () => {
  const { app, logged } = await startApp()
  for (const path of [
    '/dev/inbox.json',
    '/dev/letters.json',
    '/dev/letters/x',
    '/dev/inbox/x',
    '/%64ev/inbox.json',
  ]) {
    for (const request of fromElsewhere) {
      const { statusCode, body } = await app.inject({ url: path, ...request })
      expect([path, request, statusCode]).toEqual([path, request, 403])
      expect(body).toContain('DANGEROUSLY_EXPOSE_STAND_INS')
    }
  }
  expect(
    (await app.inject({ method: 'DELETE', url: '/dev/inbox.json', remoteAddress: '192.168.1.30' }))
      .statusCode,
  ).toBe(403)
  expect(logged.join()).toContain('stand-in from another machine')
  expect(logged.join()).not.toContain('192.168.1.30')

  for (const remoteAddress of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
    expect((await app.inject({ url: '/dev/inbox.json', remoteAddress })).statusCode).toBe(200)
  for (const host of ['localhost:4321', '127.0.0.1:4321', '[::1]:4321'])
    expect((await app.inject({ url: '/dev/inbox.json', headers: { host } })).statusCode).toBe(200)
  // What is for everybody is answered as ever.
  expect((await app.inject({ url: '/api/rates', remoteAddress: '192.168.1.30' })).statusCode).not.toBe(403)
  await app.close()
})

test('opened to the network they answer everybody', async () => {
  const { app } = await startApp({ exposeStandIns: true })
  for (const request of fromElsewhere)
    expect((await app.inject({ url: '/dev/inbox.json', ...request })).statusCode).toBe(200)
  await app.close()
})
