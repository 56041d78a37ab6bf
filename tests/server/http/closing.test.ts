import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { prepareClosing } from '#server/http/closing.ts'

/** Far longer than a test may take: requests that wait for this hang. */
const never = 600_000

async function openApp(times: { asking: number; answering: number }) {
  const app = Fastify({ return503OnClosing: false })
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<string>()
  app.get('/slow', () => {
    asked.resolve()
    return answer.promise
  })
  app.get('/quick', async () => 'quick')
  const close = prepareClosing(app, times)
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  const ask = (path: string): Promise<IncomingMessage> =>
    once(get({ port, path }), 'response').then(([response]) => response as IncomingMessage)
  return { close, port, ask, asked: asked.promise, answer: answer.resolve }
}

test('while stopping, answers open requests, and lets nobody new in', async () => {
  const { close, ask, asked, answer } = await openApp({ asking: never, answering: never })
  const slow = ask('/slow')
  await asked
  const closed = close()
  await expect
    .poll(() =>
      ask('/quick').then(
        () => 'let in',
        () => 'refused',
      ),
    )
    .toBe('refused')
  answer('slow')
  const response = await slow
  expect(response.statusCode).toBe(200)
  expect(await text(response)).toBe('slow')
  // Its connection, which the client would have kept, is closed: nobody waits for the time that there is.
  await closed
})

test('cuts off soon what never ends, and answers what did end all the same', async () => {
  const { close, port, ask, asked, answer } = await openApp({ asking: 100, answering: never })
  const halves = ['GET /quick HTTP/1.1\r\n', 'POST /quick HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{']
  const slow = ask('/slow')
  const cut = halves.map(async half => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    socket.write(half)
    await once(socket.resume(), 'close')
  })
  await asked
  const closed = close()
  await Promise.all(cut)
  answer('slow')
  expect(await text(await slow)).toBe('slow')
  await closed
})

test('cuts off what is not answered in time', async () => {
  const { close, ask, asked } = await openApp({ asking: 50, answering: 200 })
  const slow = ask('/slow')
  const cut = expect(slow).rejects.toThrow('socket hang up')
  await asked
  await close()
  await cut
})

test('keeps listening while data arrives: what comes between two looks would be cut off', async () => {
  const { close, ask } = await openApp({ asking: never, answering: never })
  let busy = true
  const work = () => {
    for (const begun = performance.now(); performance.now() - begun < 2; );
    if (busy) setImmediate(work)
  }
  work()
  const closed = close()
  for (let turn = 0; turn < 3; turn += 1) expect(await text(await ask('/quick'))).toBe('quick')
  busy = false
  await closed
  await expect(ask('/quick')).rejects.toThrow()
})
