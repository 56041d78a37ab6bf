import type { FastifyInstance } from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import { createExchange } from '#server/telephony/exchange/exchange.ts'
import { testNumbers } from '#server/telephony/exchange/test-numbers.ts'
import { openApp } from '#support/app.ts'
import { keepForFile } from '#support/file-world.ts'
import { createWorld } from '#support/world.ts'

const apps: FastifyInstance[] = []
const world = keepForFile(await createWorld())
afterAll(() => Promise.all(apps.map(app => app.close())))

async function startApp(production: boolean): Promise<FastifyInstance> {
  const log = createLog('silent')
  const exchange = createExchange({ clock: world.clock, secret: new Uint8Array(32).fill(7), log })
  const app = await openApp({
    config: { production },
    services: world.services,
    log,
    handsets: exchange,
  })
  apps.push(app)
  return app
}

const claim = (app: FastifyInstance, body: object) =>
  app.inject({ method: 'POST', url: '/dev/handset/claims', payload: { whenCalled: 'ring', ...body } })
const list = async (app: FastifyInstance) => (await app.inject('/dev/handset.json')).json().numbers

test('a number is claimed in any form that a person types, and then listed with its country', async () => {
  const app = await startApp(false)
  const reply = await claim(app, { number: ' +44 (0)20 7183 8750 ' })
  expect(reply.statusCode).toBe(200)
  expect(reply.json()).toEqual({
    token: expect.any(String),
    ttlSeconds: 600,
    route: { kind: 'exchange', path: '/exchange' },
    number: '+442071838750',
  })
  const numbers = await list(app)
  expect(numbers).toHaveLength(testNumbers.length + 1)
  expect(numbers[0]).toEqual({
    number: '+12125550100',
    isoCode: 'US',
    does: 'Answers at once and plays 1004 Hz at 0 dBm0',
    kind: 'script',
  })
  expect(numbers.at(-1)).toEqual({
    number: '+442071838750',
    isoCode: 'GB',
    does: 'Rings in a browser tab',
    kind: 'handset',
  })
})

test('a test number that is claimed is listed once, as a handset', async () => {
  const app = await startApp(false)
  await claim(app, { number: '+1 212 555 0101', whenCalled: 'busy' })
  const numbers: { number: string; kind: string }[] = await list(app)
  expect(numbers.filter(({ number }) => number === '+12125550101')).toMatchObject([{ kind: 'handset' }])
  expect(numbers).toHaveLength(testNumbers.length)
})

test.each([
  ['', 'Enter a number with its country code, such as +1 212 555 0142.'],
  ['+44', 'This number is too short. Check it and try again.'],
  ['+44 20 7183 87500000', 'Unrecognised number. Please check the number and try again.'],
])('%j cannot be claimed, and the answer says why', async (number, message) => {
  const reply = await claim(await startApp(false), { number })
  expect(reply.statusCode).toBe(400)
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_number', message } })
})

test('rejects a body that is none as such', async () => {
  const reply = await claim(await startApp(false), { number: '+442071838750', whenCalled: 'explode' })
  expect(reply.json()).toMatchObject({ error: { code: 'invalid_request' } })
})

test('claims are limited for each address', async () => {
  const app = await startApp(false)
  for (let count = 0; count < 120; count++) await claim(app, { number: '' })
  expect((await claim(app, { number: '' })).statusCode).toBe(429)
})

test('production has no handsets', async () => {
  const app = await startApp(true)
  expect((await claim(app, { number: '+442071838750' })).statusCode).toBe(404)
  expect((await app.inject('/dev/handset.json')).statusCode).toBe(404)
})
