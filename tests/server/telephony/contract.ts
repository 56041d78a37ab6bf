import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { CarrierEvent, Telephony, VerificationEnd } from '#server/telephony/port.ts'
import type { RecordingControl } from './exchange/exchange-world.ts'

/** A network with the people around it: a caller in a browser, those who are called, and the clock on the wall. */
export interface TelephonyHouse {
  readonly telephony: Telephony
  /** What it asks and reports. */
  readonly control: RecordingControl
  /** Numbers by what they do. */
  readonly numbers: Readonly<Record<'answers' | 'busy' | 'rings' | 'missing', string>>
  /** A user's browser calls. Resolves when the network has been answered what to do. */
  call(userId: string, to: string, callerId?: string): Promise<void>
  /** Whether the last attempt was turned away, as the browser sees it. */
  wasRefused(): Promise<boolean>
  callerHangsUp(): Promise<void>
  passTime(ms: number): Promise<void>
  /** Somebody at this number answers the call that asks for a code, and keys one in. */
  keyIn(number: string, code: string): Promise<void>
  /** Makes ready a telephone at this number. */
  setUpTelephone(number: string): Promise<void>
  close(): Promise<void>
}

const userId = '5f0c3a52-6a1e-4d0c-9a55-d3a5f0b6a001'
const unknown = '0a4c7a0e-38ff-4a7c-8f0b-0c2f7a6de999'
const limitMs = 120_000
const rateMicroUsd = 20_000

/** What every adapter of the telephony port does. */
export function behavesAsTelephony(openHouse: () => Promise<TelephonyHouse>): void {
  let house: TelephonyHouse
  let callId: string
  beforeEach(async () => {
    callId = randomUUID()
    house = await openHouse()
    const [from = ''] = house.telephony.publicNumbers
    house.control.decide = ({ to }) => ({ kind: 'connect', callId, to, from, limitMs, rateMicroUsd })
  })
  afterEach(() => house.close())

  /** The first event of a kind; each may be sent more than once. */
  const firstEvent = <Kind extends CarrierEvent['kind']>(kind: Kind) =>
    expect
      .poll(() => house.control.events.find(event => event.kind === kind), { timeout: 10_000 })
      .toBeDefined()
      .then(() => house.control.events.find(event => event.kind === kind) as CarrierEvent & { kind: Kind })

  test('a browser’s permission to call lives ten minutes', async () => {
    const { token, ttlSeconds } = await house.telephony.issueVoiceToken(userId)
    expect(ttlSeconds).toBe(600)
    expect(token.split('.')).toHaveLength(3)
  })

  test('asks the call service with what the browser sent', async () => {
    await house.call(userId, house.numbers.rings, '+442071838750')
    expect(house.control.attempts).toHaveLength(1)
    expect(house.control.attempts[0]).toMatchObject({
      userId,
      to: house.numbers.rings,
      callerId: '+442071838750',
    })
    await house.callerHangsUp()
  })

  test('a rejected attempt rings nobody and is never reported', async () => {
    house.control.decide = () => ({ kind: 'refuse', code: 'no_credits', message: 'no' })
    await house.call(userId, house.numbers.answers)
    expect(await house.wasRefused()).toBe(true)
    expect(house.control.events).toEqual([])
    expect(await house.telephony.inspect(callId)).toEqual({ kind: 'unknown' })
  })

  test('an answered call is reported and known while it lasts, and its length when it is over', async () => {
    await house.call(userId, house.numbers.answers)
    expect(await firstEvent('ringing')).toEqual({ kind: 'ringing', callId })
    expect(await firstEvent('answered')).toEqual({ kind: 'answered', callId })
    await house.passTime(30_000)
    expect(await house.telephony.inspect(callId)).toEqual({ kind: 'live', answeredMs: 30_000 })
    await house.callerHangsUp()
    const ended = await firstEvent('ended')
    expect(ended).toMatchObject({ callId, answeredMs: 30_000 })
    expect(['caller_hung_up', 'hung_up']).toContain(ended.end)
    expect(await house.telephony.inspect(callId)).toEqual({
      kind: 'ended',
      answeredMs: 30_000,
      end: ended.end,
    })
  })

  test.each([
    ['busy', 'busy'],
    ['missing', 'invalid_number'],
  ] as const)('a number that is %s ends as such, without an answer', async (number, end) => {
    await house.call(userId, house.numbers[number])
    expect(await firstEvent('ended')).toEqual({ kind: 'ended', callId, answeredMs: null, end })
    expect(house.control.events.some(({ kind }) => kind === 'answered')).toBe(false)
  })

  test('a caller who hangs up before the answer has cancelled', async () => {
    await house.call(userId, house.numbers.rings)
    await firstEvent('ringing')
    expect(await house.telephony.inspect(callId)).toEqual({ kind: 'live', answeredMs: null })
    await house.callerHangsUp()
    expect(await firstEvent('ended')).toMatchObject({ answeredMs: null })
    expect(['cancelled', 'caller_hung_up']).toContain((await firstEvent('ended')).end)
  })

  test('the network ends a call at its limit by itself', async () => {
    await house.call(userId, house.numbers.answers)
    await firstEvent('answered')
    await house.passTime(limitMs + 5000)
    expect(await firstEvent('ended')).toMatchObject({ callId, answeredMs: limitMs })
  })

  test('a raised limit holds instead', async () => {
    await house.call(userId, house.numbers.answers)
    await firstEvent('answered')
    await house.telephony.setLimit(callId, 2 * limitMs)
    await house.passTime(limitMs + 5000)
    expect(await house.telephony.inspect(callId)).toMatchObject({ kind: 'live' })
    await house.passTime(limitMs)
    expect(await firstEvent('ended')).toMatchObject({ answeredMs: 2 * limitMs })
  })

  test.each(['answers', 'rings'] as const)('we hang up a call to a number that %s', async number => {
    await house.call(userId, house.numbers[number])
    await firstEvent(number === 'answers' ? 'answered' : 'ringing')
    await house.telephony.hangUp(callId, 'no_credits')
    expect(await firstEvent('ended')).toMatchObject({ callId })
    expect(await house.telephony.inspect(callId)).toMatchObject({ kind: 'ended' })
    // Once more is no error.
    await house.telephony.hangUp(callId, 'no_credits')
    await house.telephony.setLimit(callId, limitMs)
  })

  test('a call that is not known is no error', async () => {
    await house.telephony.hangUp(unknown, 'already_settled')
    await house.telephony.setLimit(unknown, limitMs)
    expect(await house.telephony.inspect(unknown)).toEqual({ kind: 'unknown' })
    expect(await house.telephony.forgetNumber('+442071838799')).toEqual({ ok: true, value: undefined })
  })

  test('a number is verified by the code that the network made up', async () => {
    const number = '+442071838750'
    await house.setUpTelephone(number)
    const started = await house.telephony.verifyNumber({ verificationId: unknown, number, rateMicroUsd })
    if (!started.ok) throw new Error(started.code)
    expect(started.value.code).toMatch(/^\d{6}$/)
    await house.keyIn(number, started.value.code)
    await expect
      .poll((): VerificationEnd | undefined => house.control.verifications[0], { timeout: 10_000 })
      .toEqual({ verificationId: unknown, outcome: 'verified' })
    expect(house.control.progress[0]).toEqual({ verificationId: unknown, state: 'answered' })
    expect(await house.telephony.forgetNumber(number)).toEqual({ ok: true, value: undefined })
  })
}
