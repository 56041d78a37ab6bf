import { request } from 'node:http'
import twilio from 'twilio'
import { afterEach, expect, test } from 'vitest'
import { startVerification } from '#server/calls/caller-ids/caller-id-verification.ts'
import { keepForFile } from '#support/file-world.ts'
import { american, createTwilioWorld, publicUrl } from './twilio-world.ts'

const browser = { address: '127.0.0.1', device: 'the same' }

const world = keepForFile(await createTwilioWorld({ appStatus: true, fallback: true }))
afterEach(() => world.expectSound())

type Form = Record<string, string>

/** A voice request as the vendor would send it for a new leg. */
function attemptOf(userId: string, more: Form = {}): Form {
  const { accountSid, appSid } = world.fake.settings
  return {
    AccountSid: accountSid,
    ApplicationSid: appSid,
    ApiVersion: '2010-04-01',
    CallSid: `CA${world.services.random.uuid().replaceAll('-', '')}`,
    CallStatus: 'ringing',
    Direction: 'inbound',
    From: `client:${userId}`,
    Caller: `client:${userId}`,
    To: american,
    ...more,
  }
}

const sign = (url: string, form: Form, token = world.fake.settings.authToken) =>
  twilio.getExpectedTwilioSignature(token, url, form)

async function post(path: string, form: Form, signature?: string): Promise<Response> {
  return fetch(world.serverUrl + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...(signature === undefined ? {} : { 'x-twilio-signature': signature }),
    },
    body: new URLSearchParams(form),
  })
}

/** Everything that a webhook may change. */
async function written(): Promise<unknown> {
  return Promise.all(
    ['call', 'transfer', 'caller_id', 'verification_call'].map(async table => {
      const [row] = await world.db.query<{ rows: number }>(`select count(*)::int as rows from ${table}`)
      return row?.rows
    }),
  )
}

const voice = '/api/webhooks/twilio/voice'
const status = '/api/webhooks/twilio/status'

test('a signed request for our address is answered', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const form = attemptOf(id)
  const answer = await post(voice, form, sign(publicUrl + voice, form))
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toMatch(/^text\/xml/)
  expect(await answer.text()).toContain('<Dial ')
  await world.db.query(
    `update call set state = 'ended', ended_at = placed_at, outcome = 'failed' where user_id = $1`,
    [id],
  )
})

test('asks the fallback when the answer is lost, and places one call', async () => {
  const { id } = await world.addUser({ credit: 1 })
  world.fake.webhooks.losesNextAnswer = true
  const { sid, outcome } = await world.fake.switchboard.connect(id, { To: american })
  await world.settled()
  expect(outcome).toBe('dialling')
  const asked = world.fake.webhooks.delivered.filter(
    ({ url, parameters }) => url === publicUrl + voice && parameters['CallSid'] === sid,
  )
  expect(asked.map(({ parameters }) => parameters['ErrorCode'])).toEqual([undefined, '11200'])
  expect(asked[1]?.body).toBe(asked[0]?.body)
  expect(await world.theCall(id)).toMatchObject({ state: 'answered' })
  expect([...world.fake.switchboard.legs.values()].filter(({ parent }) => parent === sid)).toHaveLength(1)
  world.fake.switchboard.hangUp(sid, 'caller')
  await world.settled()
})

test('a fault of ours turns the call away in silence, and is counted as one', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const form = attemptOf(id)
  const counted = () => world.observed.filter(({ kind }) => kind === 'webhook_refused')
  const before = counted().length
  await world.db.query('alter table call rename to call_away')
  const answer = await post(voice, form, sign(publicUrl + voice, form))
  await world.db.query('alter table call_away rename to call')
  expect(answer.status).toBe(200)
  expect(await answer.text()).toContain('<Reject')
  expect(counted().slice(before)).toEqual([
    { kind: 'webhook_refused', provider: 'twilio', reason: 'internal' },
  ])
})

test('an event of a verification without a result decides nothing, but the page learns of the answer', async () => {
  const { id } = await world.addUser()
  const started = await startVerification(world.services, id, '+442071838790', browser)
  expect(started.ok).toBe(true)
  const verification = async () => {
    const [row] = await world.db.query<{ id: string; outcome: string | null }>(
      'select id, outcome from verification_call where user_id = $1',
      [id],
    )
    return row
  }
  const path = `${status}?verification=${(await verification())?.id}`
  const form = { AccountSid: world.fake.settings.accountSid, CallStatus: 'in-progress' }
  expect((await post(path, form, sign(publicUrl + path, form))).status).toBe(204)
  expect((await verification())?.outcome).toBeNull()
  expect(world.notices.filter(({ kind }) => kind === 'verification')).toEqual([
    { kind: 'verification', userId: id, event: { phoneNumber: '+442071838790', state: 'answered' } },
  ])
  const result = { ...form, CallStatus: 'completed', VerificationStatus: 'failed' }
  expect((await post(path, result, sign(publicUrl + path, result))).status).toBe(204)
  expect((await verification())?.outcome).toBe('no_code')
})

test('REL-11: a signature that is missing, forged, or of an altered request writes nothing', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const form = attemptOf(id)
  const good = sign(publicUrl + voice, form)
  const before = await written()
  const tries = [
    await post(voice, form),
    await post(voice, form, ''),
    await post(voice, form, 'AAAAAAAAAAAAAAAAAAAAAAAAAAA='),
    await post(voice, form, sign(publicUrl + voice, form, 'another token')),
    await post(voice, { ...form, To: '+442071838750' }, good),
    await post(voice, { ...form, More: '1' }, good),
    await post(`${voice}?more=1`, form, good),
    await post(status, form, good),
  ]
  expect(tries.map(answer => answer.status)).toEqual(tries.map(() => 403))
  expect(await written()).toEqual(before)
})

test('REL-12: rejects a right signature for another host, port, scheme or path', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const form = attemptOf(id)
  const before = await written()
  for (const other of [
    `https://evil.example${voice}`,
    `https://farline.example:8443${voice}`,
    `http://farline.example${voice}`,
    `https://farline.example${status}`,
    `${world.serverUrl}${voice}`,
  ]) {
    expect((await post(voice, form, sign(other, form))).status).toBe(403)
  }
  expect(await written()).toEqual(before)
})

test('REL-12: what a request says of its host is of no matter', async () => {
  const { id } = await world.addUser({ credit: 0 })
  const form = attemptOf(id)
  const ask = (host: string, signature: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const body = new URLSearchParams(form).toString()
      const headers = {
        host,
        'x-forwarded-host': host,
        'x-forwarded-proto': 'http',
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
        'x-twilio-signature': signature,
      }
      request(world.serverUrl + voice, { method: 'POST', headers }, answer => {
        answer.resume()
        resolve(answer.statusCode)
      })
        .on('error', reject)
        .end(body)
    })
  expect(await ask('evil.example', sign(`https://evil.example${voice}`, form))).toBe(403)
  expect(await ask('evil.example', sign(publicUrl + voice, form))).toBe(200)
})

test('REL-12: rejects another account or application, however well signed', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const before = await written()
  for (const more of [
    { AccountSid: `AC${'9'.repeat(32)}` },
    { AccountSid: '' },
    { ApplicationSid: `AP${'9'.repeat(32)}` },
    { ApplicationSid: '' },
  ]) {
    const form = attemptOf(id, more)
    expect((await post(voice, form, sign(publicUrl + voice, form))).status).toBe(403)
  }
  expect(await written()).toEqual(before)
})

test('a caller who is no user of ours calls nobody', async () => {
  const before = await written()
  for (const from of ['+442071838750', 'client:somebody', 'client:', 'sip:a@b', ''])
    expect((await post(...signed({ From: from }))).status).toBe(400)
  // Well-formed, and nobody's.
  const answer = await post(...signed({ From: `client:${world.services.random.uuid()}` }))
  expect(await answer.text()).toContain('<Reject/>')
  expect(await written()).toEqual(before)
})

function signed(more: Form): [string, Form, string] {
  const form = attemptOf(world.services.random.uuid(), more)
  return [voice, form, sign(publicUrl + voice, form)]
}

test('a report about a call that is not ours changes nothing, and is no error', async () => {
  const before = await written()
  const path = `${status}?call=${world.services.random.uuid()}`
  const form = {
    AccountSid: world.fake.settings.accountSid,
    CallSid: `CA${'1'.repeat(32)}`,
    CallStatus: 'completed',
    CallDuration: '60',
  }
  expect((await post(path, form, sign(publicUrl + path, form))).status).toBe(204)
  expect(await written()).toEqual(before)
})

test('polls the call of a browser’s leg that is over, if nothing else was reported', async () => {
  const { id } = await world.addUser({ credit: 1 })
  const sid = await world.call(id)
  await world.passTime(30_000)
  world.fake.webhooks.mode = 'hold'
  world.fake.switchboard.hangUp(sid, 'caller')
  const callbacks = world.fake.webhooks.held.splice(0).filter(({ url }) => url === publicUrl + status)
  world.fake.webhooks.mode = 'deliver'
  expect(callbacks).toHaveLength(1)
  for (const callback of callbacks) await world.fake.webhooks.ask(callback)
  expect(await world.theCall(id)).toMatchObject({ state: 'ended', answered_ms: 30_000, cost: 20_000 })
})

test('rejects a body that is no form, or too large', async () => {
  const large = { Body: 'x'.repeat(70_000) }
  expect((await post(voice, large, sign(publicUrl + voice, large))).status).toBe(413)
  const answer = await fetch(world.serverUrl + voice, { method: 'POST', body: '{"a":1}' })
  expect(answer.status).toBe(403)
})
