import { io } from 'socket.io-client'
import { afterEach, expect, test } from 'vitest'
import { endRuns, environment, run } from '#support/server-run.ts'

afterEach(endRuns)

test('the page of a device that is signed out elsewhere loses its socket, and the others keep theirs', async () => {
  const env = await environment()
  const server = run(env)
  await server.until(/inbox/)
  const origin = `http://127.0.0.1:${env.PORT}`
  const send = (method: string, path: string, init: { token?: string; body?: object } = {}) =>
    fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(init.token === undefined ? {} : { authorization: `Bearer ${init.token}` }),
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    })
  const account = { email: 'ada@example.com', password: 'correct horse battery' }
  expect((await send('POST', '/api/auth/register', { body: account })).status).toBe(202)
  const logIn = async () =>
    ((await (await send('POST', '/api/auth/login', { body: account })).json()) as { token: string }).token
  const open = async (token: string) => {
    const page = io(origin, {
      auth: { token },
      reconnection: false,
      forceNew: true,
      transports: ['websocket'],
    })
    await new Promise<void>((resolve, reject) => page.once('connect', resolve).once('connect_error', reject))
    return page
  }
  const [lost, kept] = [await logIn(), await logIn()]
  const [lostPage, keptPage] = [await open(lost), await open(kept)]
  const gone = new Promise(resolve => lostPage.once('disconnect', resolve))
  expect(
    (await send('DELETE', '/api/protected/devices', { token: kept, body: { password: '' } })).status,
  ).toBe(204)
  expect(await gone).toBe('io server disconnect')
  expect(keptPage.connected).toBe(true)
  await expect(open(lost)).rejects.toThrow('unauthorized')
  keptPage.disconnect()
})
