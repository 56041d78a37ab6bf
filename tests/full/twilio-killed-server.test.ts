import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemClock } from '#server/process/clock.ts'
import { type FakeTwilio, fakeAccount, startFakeTwilio } from '#support/fake-twilio/fake-twilio.ts'
import { startTestServer, type TestServer } from '#support/test-server.ts'

/** The real server as a process of its own, on a vendor that runs outside of it. */
let server: TestServer
let fake: FakeTwilio
const place = { url: '' }
/** A server starts twice, on machines that have much else to do. */
const waitMs = 150_000
beforeAll(async () => {
  fake = await startFakeTwilio({
    clock: systemClock,
    publicUrl: 'http://farline.test',
    deliverTo: path => place.url + path,
  })
  const { accountSid, authToken, apiKey, apiSecret, appSid, publicNumber } = fakeAccount
  server = await startTestServer({
    environment: {
      PUBLIC_URL: 'http://farline.test',
      TWILIO_ACCOUNT_SID: accountSid,
      TWILIO_AUTH_TOKEN: authToken,
      TWILIO_API_KEY: apiKey,
      TWILIO_API_SECRET: apiSecret,
      TWILIO_APP_SID: appSid,
      TWILIO_NUMBER: publicNumber,
      TWILIO_API_URL: fake.settings.apiUrl,
    },
  })
  place.url = server.url
}, waitMs)
afterAll(async () => {
  await server.close()
  await fake.close()
})

async function ask(path: string, token?: string, body?: object) {
  const answer = await fetch(server.url + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return answer.json()
}

async function signUp(): Promise<{ token: string; userId: string }> {
  const [email, password] = ['anna@example.com', 'correct horse battery']
  await ask('/api/auth/register', undefined, { email, password })
  await expect.poll(async () => (await ask('/dev/inbox.json')).length, { timeout: 10_000 }).toBeGreaterThan(0)
  const [mail] = await ask('/dev/inbox.json')
  const [, link] = /verify-email#token=([\w-]+)/.exec(mail.text) ?? []
  await ask('/api/auth/verify-email', undefined, { token: link })
  const { token } = await ask('/api/auth/login', undefined, { email, password })
  const { id } = await ask('/api/protected/me', token)
  await server.admin('credit', email, '1', '--reason', 'a test')
  return { token, userId: id }
}

test(
  'REL-1: a server killed in a call leaves the call alone; started again it settles what the vendor says',
  async () => {
    const { token, userId } = await signUp()
    expect(await ask('/api/token', token)).toMatchObject({ ttlSeconds: 600, route: { kind: 'vendor' } })

    const { sid, outcome } = await fake.switchboard.connect(userId, { To: '+12125550123' })
    expect(outcome).toBe('dialling')
    await fake.webhooks.settled()
    const theCall = async () => (await ask('/api/calls', token)).calls[0]
    expect(await theCall()).toMatchObject({ state: 'answered', free: true })

    await server.kill()
    expect(fake.switchboard.leg(sid).status).toBe('in-progress')
    fake.switchboard.hangUp(sid, 'callee')
    await fake.webhooks.settled()

    await server.restart()
    expect(await theCall()).toMatchObject({ state: 'answered' })
    await server.advance(21_000)
    await expect.poll(theCall, { timeout: 20_000, interval: 200 }).toMatchObject({
      state: 'ended',
      outcome: 'completed',
      seconds: expect.any(Number),
    })
    expect(await server.findBreaches()).toEqual([])

    // Stopping a server ends no call either.
    const next = await fake.switchboard.connect(userId, { To: '+12125550123' })
    await fake.webhooks.settled()
    await server.stop()
    expect(fake.switchboard.leg(next.sid).status).toBe('in-progress')
    expect(fake.faults).toEqual([])
  },
  waitMs,
)
