import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createLog } from '#server/http/log.ts'
import type { Random } from '#server/process/random.ts'
import { createApiClient, TwilioUnavailable } from '#server/telephony/twilio/api-client.ts'
import { type FakeTwilio, startFakeTwilio } from '#support/fake-twilio/fake-twilio.ts'
import { createStoppedClock, type MovableClock } from '#support/movable-clock.ts'

let fake: FakeTwilio
let clock: MovableClock
const logged: string[] = []
const pauses: number[] = []
/** The middle of the random range: each pause is a quarter shorter. */
const random: Random = { bytes: () => new Uint8Array([127.5]), uuid: () => 'never asked' }

beforeAll(async () => {
  clock = createStoppedClock()
  fake = await startFakeTwilio({ clock, publicUrl: 'https://farline.example' })
})
beforeEach(() => {
  logged.length = 0
  pauses.length = 0
  fake.outage = undefined
})
afterAll(() => fake.close())

function client(retryPolicy = { attemptMs: 1500, wholeMs: 60_000, pauseMs: 1000 }) {
  const log = createLog('trace', { write: line => void logged.push(line) })
  const pause = async (ms: number) => {
    pauses.push(ms)
    clock.advance(ms)
  }
  return createApiClient(fake.settings, { clock, random, log, retryPolicy, pause })
}

const list = () => client().outgoingCallerIds.list({ phoneNumber: '+442071838750', limit: 20 })

test.each(['error', 'busy', 'gateway', 'cut', 'silent', 'lost'] as const)(
  'REL-15: a request that went wrong (%s) is made again after a pause',
  async kind => {
    const before = fake.requests.length
    fake.trouble(kind)
    expect(await list()).toEqual([])
    expect(fake.requests.length - before).toBe(2)
    expect(pauses).toHaveLength(1)
  },
)

test('REL-15: pauses grow, chance makes them shorter, and after four attempts it is given up', async () => {
  fake.outage = 'error'
  const before = fake.requests.length
  await expect(list()).rejects.toThrow(TwilioUnavailable)
  expect(fake.requests.length - before).toBe(4)
  const share = 1 - 127 / 255 / 2
  expect(pauses).toEqual([1000 * share, 2000 * share, 4000 * share])
})

test('REL-15: a limit of requests is waited for as long as the vendor says', async () => {
  fake.trouble('rate')
  expect(await list()).toEqual([])
  expect(pauses).toEqual([1000])
})

test('REL-15: all attempts end within a time', async () => {
  fake.outage = 'busy'
  const before = fake.requests.length
  const asked = client({ attemptMs: 1500, wholeMs: 2000, pauseMs: 1000 }).outgoingCallerIds.list({ limit: 1 })
  await expect(asked).rejects.toThrow(TwilioUnavailable)
  // 0 s, 0.75 s; the pause after that would end past 2 s.
  expect(fake.requests.length - before).toBe(2)
})

test('REL-15: a rejection is not retried', async () => {
  const before = fake.requests.length
  await expect(
    client()
      .calls(`CA${'0'.repeat(32)}`)
      .fetch(),
  ).rejects.toMatchObject({ status: 404, code: 20404 })
  expect(fake.requests.length - before).toBe(1)
  expect(pauses).toEqual([])
})

test('REL-15: a call that verifies a number is not made twice, unless it was surely not made', async () => {
  const verify = () => client().validationRequests.create({ phoneNumber: '+442071838750' })
  for (const kind of ['lost', 'silent', 'error'] as const) {
    const before = fake.requests.length
    fake.trouble(kind)
    await expect(verify()).rejects.toThrow(TwilioUnavailable)
    expect(fake.requests.length - before).toBe(1)
  }
  fake.trouble('rate')
  expect((await verify()).validationCode).toMatch(/^\d{6}$/)
})

test('neither a number nor a secret is logged', async () => {
  fake.outage = 'error'
  await list().catch(() => undefined)
  const text = logged.join('\n')
  expect(text).toContain('GET OutgoingCallerIds')
  for (const secret of ['2071838750', fake.settings.apiSecret, fake.settings.apiKey])
    expect(text).not.toContain(secret)
})

test('the fake rejects what the vendor does not document', async () => {
  const before = fake.faults.length
  const { apiUrl, accountSid, apiKey, apiSecret } = fake.settings
  const ask = (path: string, form: Record<string, string>) =>
    fetch(`${apiUrl}/2010-04-01/Accounts/${accountSid}/${path}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${apiKey}:${apiSecret}`)}` },
      body: new URLSearchParams(form),
    })
  const sid = `CA${'0'.repeat(32)}`
  for (const form of [
    { Timelimit: '60' },
    { TimeLimit: '1.5' },
    { Status: 'ended' },
    { Twiml: 'x'.repeat(4001) },
  ])
    expect((await ask(`Calls/${sid}.json`, form as Record<string, string>)).status).toBe(400)
  expect((await ask('OutgoingCallerIds.json', {})).status).toBe(400)
  expect((await ask('OutgoingCallerIds.json', { PhoneNumber: '0207' })).status).toBe(400)
  expect(fake.faults.length - before).toBe(6)
  expect((await fetch(`${apiUrl}/2010-04-01/Accounts/${accountSid}/Calls.json`)).status).toBe(401)
})
