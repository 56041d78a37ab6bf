import { voiceToken } from '#lib/api/token.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'
import { call, type PlacedCall, Wire } from '../server/telephony/exchange/phone.ts'
import type { Figure } from './main.ts'

const calls = 20
const password = 'correct horse battery'

/** The server stopped, and killed, with calls in progress: how long until it is ready again and all is settled. */
export async function benchRestart(): Promise<Figure[]> {
  // Twenty people from one machine: each from an address of their own, as far as throttles go.
  const server = await startTestServer({ environment: { TRUSTED_PROXIES: '1' } })
  try {
    const stopped = await withCalls(server, 'stop', async () => {
      const from = performance.now()
      await server.stop()
      const stoppedMs = performance.now() - from
      await server.restart()
      return { stoppedMs, readyMs: performance.now() - from - stoppedMs }
    })
    const killed = await withCalls(server, 'kill', async () => {
      const from = performance.now()
      await server.kill()
      await server.restart()
      return { readyMs: performance.now() - from }
    })
    const [breach] = await server.findBreaches()
    if (breach !== undefined) throw new Error(`the books do not balance: ${JSON.stringify(breach)}`)
    return [
      { what: `stop with ${calls} live calls, all settled`, value: `${stopped.stoppedMs.toFixed(0)} ms` },
      { what: 'ready again after that stop', value: `${stopped.readyMs.toFixed(0)} ms` },
      {
        what: `kill -9 with ${calls} live calls, to ready again with all settled`,
        value: `${killed.readyMs.toFixed(0)} ms`,
      },
    ]
  } finally {
    await server.close()
  }
}

async function withCalls<Value>(
  server: TestServer,
  name: string,
  work: () => Promise<Value>,
): Promise<Value> {
  const placed: PlacedCall[] = []
  for (let count = 0; count < calls; count += 1)
    placed.push(await placeCall(server, `${name}-${count}`, count))
  const value = await work()
  if ((await server.liveCalls()).length > 0) throw new Error('a call outlived the server')
  for (const { phone, wire } of placed) {
    wire.drop()
    await phone.close()
  }
  return value
}

/** Somebody new, on their free call. */
async function placeCall(server: TestServer, name: string, count: number): Promise<PlacedCall> {
  const email = `${name}@example.com`
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': `198.51.100.${count + 1}` }
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`)
    return answer
  }
  await post('/api/auth/register', { email, password })
  await post('/api/auth/verify-email', { token: await readToken(server, email) })
  const { token } = (await (await post('/api/auth/login', { email, password })).json()) as { token: string }
  const asked = await fetch(`${server.url}${voiceToken.path}`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const voice = (await asked.json()) as { token: string }
  const wire = await (await new Wire(new URL(server.url).host).open()).listen(voice.token)
  return call(wire, '+12125550100')
}

async function readToken(server: TestServer, email: string): Promise<string> {
  for (;;) {
    const inbox = (await (await fetch(`${server.url}/dev/inbox.json`)).json()) as {
      to: string
      text: string
    }[]
    const [, token] = /token=([\w-]+)/.exec(inbox.find(({ to }) => to === email)?.text ?? '') ?? []
    if (token !== undefined) return token
    await new Promise(resolve => setTimeout(resolve, 50))
  }
}
