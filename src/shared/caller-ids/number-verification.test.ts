import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { VerificationEvent, VerificationStatus } from '#lib/api/verification.ts'
import { createNumberVerifier, type NumberVerificationPorts } from './number-verification.ts'
import { failureTexts } from './texts.ts'
import { againText, attemptsText, type VerificationFailure } from './verification-wording.ts'

const number = '+447700900142'
const invalid = 'Enter a valid phone number with country code. Example: +447123456789'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function openVerifier(ports: Partial<NumberVerificationPorts> = {}) {
  const requested: string[] = []
  const verified: string[] = []
  let listed: readonly string[] | null = []
  let lists = 0
  let lastCall: VerificationStatus['lastCall'] = null
  const listeners = new Set<(event: VerificationEvent) => void>()
  const verifier = createNumberVerifier({
    request: async phoneNumber => {
      requested.push(phoneNumber)
      return { ok: true, value: { code: '482915' } }
    },
    list: async () => {
      lists += 1
      return listed
    },
    status: async () => ({ attemptsPerDay: 3, attemptsLeft: 2, waitMs: 0, lastCall }),
    listen: onEvent => {
      listeners.add(onEvent)
      return () => listeners.delete(onEvent)
    },
    normalise: async text => text,
    onVerified: one => verified.push(one),
    wait: (ms, callback) => {
      setTimeout(callback, ms)
    },
    ...ports,
  })
  return {
    ...verifier,
    requested,
    verified,
    lists: () => lists,
    list: (numbers: readonly string[] | null) => {
      listed = numbers
    },
    state: () => verifier.$verification.get(),
    attempts: () => verifier.$attempts.get(),
    listeners: () => listeners.size,
    publish: (state: VerificationEvent['state'], phoneNumber = number) => {
      for (const listener of listeners) listener({ phoneNumber, state })
    },
    end: (outcome: NonNullable<VerificationStatus['lastCall']>['outcome'], phone_number = number) => {
      lastCall = { phone_number, outcome }
    },
  }
}

const rejection = (status: number, message: string, body = true) => ({
  ok: false as const,
  code: 'unavailable' as const,
  message,
  status,
  body: body ? { error: { code: 'x', message } } : null,
})

describe('the number', () => {
  test.each(['', '447700900142', '07700 900142', '+123456', '+1234567890123456', 'my phone'])(
    'is refused where it stands unless it is a plus and 7 to 15 digits: %s',
    async typed => {
      const verifier = openVerifier()
      verifier.open()
      await verifier.submit(typed)
      expect(verifier.state()).toEqual({ state: 'entering', sending: false, fault: invalid, failure: null })
      expect(verifier.requested).toEqual([])
    },
  )

  test.each(['+44 7700 900142', ' +44 (7700) 900-142', '＋４４７７００９００１４２'])(
    'may be spaced as people write it: %s',
    async typed => {
      const verifier = openVerifier()
      verifier.open()
      await verifier.submit(typed)
      expect(verifier.requested).toEqual([number])
    },
  )

  test('is what the numbering plan makes of it, so that it is found in the list again', async () => {
    const verifier = openVerifier({ normalise: async () => number })
    verifier.open()
    await verifier.submit('+4407700900142')
    expect(verifier.requested).toEqual([number])
    verifier.list([number])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(verifier.verified).toEqual([number])
  })
})

describe('a request', () => {
  test('shows the code, asks for the list every 10 s, and closes when the number is in it', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    expect(verifier.state()).toEqual({ state: 'waiting', number, code: '482915', progress: 'calling' })
    await vi.advanceTimersByTimeAsync(9_999)
    expect(verifier.lists()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(verifier.lists()).toBe(1)
    verifier.list(['+12125550100', number])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(verifier.state()).toEqual({ state: 'closed' })
    expect(verifier.verified).toEqual([number])
    await vi.advanceTimersByTimeAsync(200_000)
    expect(verifier.lists()).toBe(2)
  })

  test('gives up after the ninth list, and says what to do', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    await vi.advanceTimersByTimeAsync(89_999)
    expect(verifier.state()).toMatchObject({ state: 'waiting' })
    await vi.advanceTimersByTimeAsync(1)
    expect(verifier.state()).toEqual({ state: 'entering', sending: false, fault: null, failure: 'timed_out' })
    await vi.advanceTimersByTimeAsync(100_000)
    expect(verifier.lists()).toBe(9)
    expect(verifier.verified).toEqual([])
  })

  test('outlives a list that cannot be had', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.list(null)
    await vi.advanceTimersByTimeAsync(80_000)
    verifier.list([number])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(verifier.verified).toEqual([number])
  })

  test('continues when the dialog is closed, and shows its code again when that is opened', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.close()
    await vi.advanceTimersByTimeAsync(10_000)
    verifier.open()
    expect(verifier.state()).toEqual({ state: 'waiting', number, code: '482915', progress: 'calling' })
    verifier.close()
    verifier.list([number])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(verifier.verified).toEqual([number])
    expect(verifier.state()).toEqual({ state: 'closed' })
  })

  test('is made once, however often the button is pressed', async () => {
    const verifier = openVerifier()
    verifier.open()
    const both = [verifier.submit(number), verifier.submit(number)]
    expect(verifier.state()).toEqual({ state: 'entering', sending: true, fault: null, failure: null })
    await Promise.all(both)
    expect(verifier.requested).toHaveLength(1)
  })

  test('without an answer yet is not made again by a dialog that was closed and opened', async () => {
    const answered = Promise.withResolvers<void>()
    const asked: string[] = []
    const verifier = openVerifier({
      request: async phoneNumber => {
        asked.push(phoneNumber)
        await answered.promise
        return { ok: true, value: { code: '482915' } }
      },
    })
    verifier.open()
    const first = verifier.submit(number)
    verifier.close()
    verifier.open()
    expect(verifier.state()).toEqual({ state: 'entering', sending: true, fault: null, failure: null })
    await verifier.submit('+12125550100')
    answered.resolve()
    await first
    expect(asked).toEqual([number])
    expect(verifier.state()).toEqual({ state: 'waiting', number, code: '482915', progress: 'calling' })
  })

  test('whose dialog was closed shows nothing when its answer comes', async () => {
    const verifier = openVerifier()
    verifier.open()
    const request = verifier.submit(number)
    verifier.close()
    await request
    expect(verifier.state()).toEqual({ state: 'closed' })
    const refused = openVerifier({ request: async () => rejection(429, 'Try again in 42 seconds.') })
    refused.open()
    const other = refused.submit(number)
    refused.close()
    await other
    expect(refused.state()).toEqual({ state: 'closed' })
    refused.open()
    expect(refused.state()).toEqual({ state: 'entering', sending: false, fault: null, failure: null })
  })

  test('is forgotten if no code was keyed in: the dialog asks for a number again', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.close()
    await vi.advanceTimersByTimeAsync(90_000)
    expect(verifier.state()).toEqual({ state: 'closed' })
    verifier.open()
    expect(verifier.state()).toEqual({ state: 'entering', sending: false, fault: null, failure: null })
  })

  test('whose answer comes after the log-out shows no code', async () => {
    const verifier = openVerifier()
    verifier.open()
    const request = verifier.submit(number)
    verifier.reset()
    await request
    verifier.open()
    expect(verifier.state()).toEqual({ state: 'entering', sending: false, fault: null, failure: null })
  })

  test('verifies nothing for a user who logged out meanwhile', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.reset()
    verifier.list([number])
    await vi.advanceTimersByTimeAsync(100_000)
    expect(verifier.lists()).toBe(0)
    expect(verifier.verified).toEqual([])
  })
})

describe('a call', () => {
  test('shows when it is answered, and when a wrong code was typed', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.publish('answered', '+12125550100')
    expect(verifier.state()).toMatchObject({ progress: 'calling' })
    verifier.publish('answered')
    expect(verifier.state()).toMatchObject({ state: 'waiting', code: '482915', progress: 'answered' })
    verifier.publish('wrong_code')
    expect(verifier.state()).toMatchObject({ progress: 'wrong_code' })
    verifier.close()
    verifier.open()
    expect(verifier.state()).toMatchObject({ progress: 'wrong_code' })
  })

  const failures = Object.keys(failureTexts).filter(one => one !== 'timed_out') as Exclude<
    VerificationFailure,
    'timed_out'
  >[]
  test.each(failures)('that ends as %s says so at once, with the attempts left', async outcome => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.end(outcome)
    verifier.publish('ended')
    await vi.advanceTimersByTimeAsync(0)
    const ended = { state: 'entering', sending: false, fault: null, failure: outcome }
    expect(verifier.state()).toEqual(ended)
    expect(verifier.attempts()).toMatchObject({ attemptsPerDay: 3, attemptsLeft: 2 })
    expect(verifier.listeners()).toBe(0)
    await vi.advanceTimersByTimeAsync(100_000)
    expect(verifier.state()).toEqual(ended)
  })

  test('whose end was not reported is found by the next poll', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.end('no_answer', '+12125550100')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(verifier.state()).toMatchObject({ state: 'waiting' })
    verifier.end('no_answer')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(verifier.state()).toMatchObject({ state: 'entering', failure: 'no_answer' })
  })

  test('that was verified closes the dialog at once', async () => {
    const verifier = openVerifier()
    verifier.open()
    await verifier.submit(number)
    verifier.list([number])
    verifier.publish('ended')
    await vi.advanceTimersByTimeAsync(0)
    expect(verifier.verified).toEqual([number])
    expect(verifier.listeners()).toBe(0)
  })

  test('that is over before its code arrives says so', async () => {
    const answered = Promise.withResolvers<void>()
    const verifier = openVerifier({
      request: async () => {
        await answered.promise
        return { ok: true, value: { code: '482915' } }
      },
    })
    verifier.open()
    const request = verifier.submit(number)
    await vi.advanceTimersByTimeAsync(0)
    verifier.end('busy')
    verifier.publish('ended')
    answered.resolve()
    await request
    await vi.advanceTimersByTimeAsync(0)
    expect(verifier.state()).toMatchObject({ state: 'entering', failure: 'busy' })
  })
})

test('says how many attempts are left, and when the next one is', () => {
  const attempts = { attemptsPerDay: 3, attemptsLeft: 2, waitMs: 0 }
  expect(attemptsText(attempts)).toBe('2 of 3 attempts left today.')
  expect(againText(attempts)).toBe('We can call again.')
  expect(againText({ ...attempts, waitMs: 30_000 })).toBe('We can call again in a minute.')
  expect(againText({ ...attempts, attemptsLeft: 0, waitMs: 21 * 3_600_000 - 5 })).toBe(
    'You can try again in 21 hours.',
  )
})

describe('a failure', () => {
  test.each([
    ['the server refused', rejection(429, 'Try again in 42 seconds.'), 'Try again in 42 seconds.'],
    ['the server broke', rejection(500, 'Something went wrong.'), 'Could not start verification.'],
    [
      'something between refused',
      rejection(403, 'Something went wrong. Please try again.', false),
      'Could not start verification.',
    ],
    ['nobody answered', rejection(0, "We can't reach the server.", false), 'Could not start verification.'],
  ])('says why, and keeps the number where it is: %s', async (_, result, fault) => {
    const verifier = openVerifier({ request: async () => result })
    verifier.open()
    await verifier.submit(number)
    expect(verifier.state()).toEqual({ state: 'entering', sending: false, fault, failure: null })
    await vi.advanceTimersByTimeAsync(100_000)
    expect(verifier.lists()).toBe(0)
  })

  test('can be followed by another try', async () => {
    let tries = 0
    const verifier = openVerifier({
      request: async () => {
        tries += 1
        return tries === 1 ? rejection(503, 'We are busy.') : { ok: true, value: { code: '000001' } }
      },
    })
    verifier.open()
    await verifier.submit(number)
    await verifier.submit(number)
    expect(verifier.state()).toMatchObject({ state: 'waiting', code: '000001' })
  })
})
