// @module-tag slow
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { io } from 'socket.io-client'
import { afterEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { signAccessToken } from '#server/identity/access-token.ts'
import { systemClock } from '#server/process/clock.ts'
import { deriveKeys } from '#server/process/secret.ts'
import { endRuns, environment, run, type ServerRun } from '#support/server-run.ts'
import { startSmtpServer } from '#support/smtp-server.ts'

afterEach(endRuns)

const secret = 'a secret that only this test knows, long enough'

/** A stop that hangs is ended by the server itself, with exit code 1. */
async function stopWith(server: ServerRun, ...signals: NodeJS.Signals[]): Promise<void> {
  for (const signal of signals) {
    expect(server.child.kill(signal)).toBe(true)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
  expect(await server.exitCode()).toBe(0)
}

/** A request as it goes over the wire. */
async function sendRaw(port: number, lines: readonly string[], body = ''): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(`${[...lines, 'Host: localhost'].join('\r\n')}\r\n\r\n${body}`)
  return socket
}

async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => (text += chunk))
  await once(socket, 'close')
  return text
}

const askForWebSocket = (path: string) => [
  `GET ${path} HTTP/1.1`,
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
]

/** A request body that never comes to its end. */
const sendHalf = (port: number) =>
  sendRaw(
    port,
    ['POST /api/v1/auth/login HTTP/1.1', 'Content-Type: application/json', 'Content-Length: 100'],
    '{"email":',
  )

async function leaveIdle(port: number): Promise<Socket> {
  const agent = new Agent({ keepAlive: true })
  const [response] = (await once(get({ port, path: '/healthz', agent }), 'response')) as [IncomingMessage]
  expect(response.statusCode).toBe(200)
  const { socket } = response
  response.resume()
  await once(response, 'end')
  return socket
}

async function openPageSocket(port: number) {
  const userId = randomUUID()
  const token = await signAccessToken(deriveKeys(secret).access, userId, systemClock)
  const page = io(`http://127.0.0.1:${port}`, {
    auth: { token },
    reconnection: false,
    transports: ['websocket'],
  })
  await new Promise<void>((resolve, reject) => page.once('connect', resolve).once('connect_error', reject))
  expect(await page.timeout(2000).emitWithAck('register', userId)).toBe(true)
  return page
}

async function openSignalling(port: number): Promise<WebSocket> {
  const signalling = new WebSocket(`ws://127.0.0.1:${port}/exchange/signal`)
  await once(signalling, 'open')
  return signalling
}

test('stops in good order whatever is connected', async () => {
  const env = { ...(await environment()), TOKEN_SECRET: secret }
  const port = Number(env.PORT)
  const server = run(env)
  await server.until(/ready/)

  const refused = await sendRaw(port, askForWebSocket('/no-such-path'))
  const refusedAt = performance.now()
  expect(await readToEnd(refused)).toBe('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
  expect(performance.now() - refusedAt).toBeLessThan(1000)

  const [half, idle] = [await sendHalf(port), await leaveIdle(port)]
  const [page, signalling] = [await openPageSocket(port), await openSignalling(port)]
  half.on('error', () => {})
  const closings = Promise.all([
    once(half, 'close'),
    once(idle, 'close'),
    new Promise(resolve => page.once('disconnect', resolve)),
    once(signalling, 'close'),
  ])
  expect([half.closed, idle.closed, page.connected]).toEqual([false, false, true])
  expect(signalling.readyState).toBe(WebSocket.OPEN)

  await stopWith(server, 'SIGTERM')
  await closings
  expect(server.output()).not.toMatch(/error|took too long/i)
})

test('a mail server that hangs does not delay the end of a stopping process', async () => {
  const mail = await startSmtpServer()
  mail.hang('at end')
  const env = {
    ...(await environment()),
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    MAIL_FROM: 'post@farline.net',
  }
  const server = run(env)
  await server.until(/ready/)
  const registered = await fetch(`http://127.0.0.1:${env.PORT}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ann@example.com', password: 'correct horse battery' }),
  })
  expect(registered.status).toBe(202)
  await expect.poll(() => mail.connections.open, { timeout: 15_000 }).toBe(1)

  expect(server.child.kill('SIGTERM')).toBe(true)
  const letIn = () => {
    const socket = connect(Number(env.PORT), '127.0.0.1')
    // One that was let in last may be reset as the process ends.
    socket.on('error', () => undefined)
    return once(socket, 'connect').then(
      () => true,
      () => false,
    )
  }
  await expect.poll(letIn, { timeout: 15_000 }).toBe(false)
  // The mail is still under way: it was not waited for.
  expect(mail.connections.open).toBe(1)
  expect(await server.exitCode()).toBe(0)
  expect(server.output()).not.toMatch(/a job failed|took too long/)
  await mail.close()
})

test('a second Ctrl+C does not cut the stop short', async () => {
  const env = await environment()
  const server = run(env)
  await server.until(/inbox/)
  await stopWith(server, 'SIGINT', 'SIGINT')
})

test.each([
  {
    set: { HOST: '203.0.113.5', DANGEROUSLY_EXPOSE_STAND_INS: 'yes' },
    says: 'HOST 203.0.113.5 is not an address of this machine. Use 127.0.0.1, or 0.0.0.0 for all of them.\n',
  },
  {
    set: { DATA_DIR: '/etc/passwd' },
    says: /^The data directory \/etc\/passwd cannot be used \(.+\)\. Set DATA_DIR to another one\.\n$/,
  },
  {
    set: { PORT: '99999' },
    says: 'The configuration cannot be used:\n  - PORT: must be a whole number from 1 to 65535\n',
  },
])('says what to change when it cannot start with $set', async ({ set, says }) => {
  const server = run({ ...(await environment()), ...set })
  expect(await server.exitCode()).toBe(1)
  if (typeof says === 'string') expect(server.output()).toBe(says)
  else expect(server.output()).toMatch(says)
  expect(server.output()).not.toMatch(/^\s+at /m)
})
