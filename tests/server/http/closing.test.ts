import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { closeInOrder } from '#server/http/closing.ts'

test('what was asked is answered, and nobody new is let in', async () => {
  const app = Fastify({ return503OnClosing: false })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.get('/slow', () => {
    asked.resolve()
    return answer.promise
  })
  app.get('/quick', async () => 'quick')
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = (path: string): Promise<IncomingMessage> =>
    once(get({ port, path }), 'response').then(([response]) => response as IncomingMessage)

  const slow = ask('/slow')
  await asked.promise
  const begun = performance.now()
  const closed = closeInOrder(app)
  await expect
    .poll(() =>
      ask('/quick').then(
        () => 'let in',
        () => 'refused',
      ),
    )
    .toBe('refused')
  answer.resolve('slow')
  const response = await slow
  expect(response.statusCode).toBe(200)
  expect(await text(response)).toBe('slow')
  await closed
  // Its connection, which the client would have kept, is closed: nobody waited for the rest of the grace.
  expect(performance.now() - begun).toBeLessThan(2500)
})
