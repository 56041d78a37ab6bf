import { atom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/api/me.ts'
import type { EndReason } from '#lib/calls/end-reasons.ts'
import { exampleCallee as callee, exampleRecord as record } from '#support/example-call.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const line = vi.hoisted(() => ({ $call: undefined as unknown }))
vi.mock('../call/call.ts', () => line)
const $call = atom<Call>(noCall)
line.$call = $call
const { followCalls, settleLateCall } = await import('./after-call.ts')
const { markLiveCalls } = await import('../call/mark-live-calls.ts')
const { $notice, dismissNotice, dismissNumberNotice } = await import('../notice.ts')

let asked: string[] = []
let answers: Readonly<Record<string, () => Promise<Response>>> = {}
let attempt = 0

vi.useFakeTimers()
vi.spyOn(console, 'error').mockImplementation(() => undefined)
// Somebody who has signed in before: the page may ask for a token.
vi.stubGlobal('document', { cookie: 'signed-in=yes', documentElement: { dataset: {} } })
vi.stubGlobal('fetch', (path: string) => {
  if (path === '/api/auth/refresh-token') return Promise.resolve(Response.json({ token: 'a.b.c' }))
  asked.push(path)
  return answers[path]?.() ?? Promise.resolve(Response.json({}, { status: 404 }))
})
followCalls()

beforeEach(() => {
  asked = []
  answers = { '/api/calls/c1': async () => Response.json(record) }
  dismissNotice()
})
afterEach(() => vi.advanceTimersByTimeAsync(200_000))

function happen(event: CallEvent): void {
  $call.set(step($call.get(), event))
}
function dial(): void {
  attempt += 1
  happen({ kind: 'dialled', attempt, callee })
}
function holdCall(callId: string | null = 'c1'): void {
  dial()
  if (callId !== null) happen({ kind: 'identified', attempt, callId })
  happen({ kind: 'answered', attempt, atMs: 0 })
}
function end(kind: Exclude<EndReason['kind'], 'refused' | 'not_free'>): void {
  happen({ kind: 'ended', attempt, endReason: { kind }, atMs: 11_400 })
}
const unreachable = () => Promise.reject(new TypeError('failed to fetch'))
const outOfReach = 'We cannot reach the service. Your history will show what was charged.'
const timesAsked = (path: string) => asked.filter(each => each === path).length
const said = () => $notice.get()?.text ?? null

test('shows the server’s text for a call that was promised free but is charged; the page does not promise another', async () => {
  const { $freeCall } = await import('../call/free-call.ts')
  const { $user } = await import('#session/user.ts')
  const before = $user.get()
  $user.set({ has_used_free_call: false, credits: 1 } as User)
  expect($freeCall.get()).toBe(true)
  dial()
  happen({ kind: 'ended', attempt, endReason: { kind: 'not_free', message: 'Not free.' }, atMs: 1 })
  expect($notice.get()).toMatchObject({ text: 'Not free.' })
  expect($freeCall.get()).toBe(false)
  $user.set(before)
})

test('asks for prices again after a rejection, which may have been about one', async () => {
  const { settleRate } = await import('../number/rate.ts')
  const path = '/api/rates/number/%2B4915123456789'
  const rate = { isoCode: 'DE', ourRate: 0.02, kind: 'mobile', freeMinutes: 5 }
  answers = { ...answers, [path]: async () => Response.json(rate) }
  await settleRate('+4915123456789')
  await settleRate('+4915123456789')
  expect(timesAsked(path)).toBe(1)
  dial()
  happen({ kind: 'ended', attempt, endReason: { kind: 'refused', message: 'It costs more.' }, atMs: 1 })
  await settleRate('+4915123456789')
  expect(timesAsked(path)).toBe(2)
})

describe('after a call', () => {
  test('shows its length and charge from the server’s record', async () => {
    holdCall()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(50)
    expect(said()).toBe('You hung up. Talked 0:12, charged $0.02.')
    expect($notice.get()?.tone).toBe('info')
  })

  test('asks for the record until it is settled', async () => {
    let times = 0
    answers = {
      '/api/calls/c1': async () => {
        times += 1
        return Response.json(times < 3 ? { ...record, state: 'answered', endedAt: null } : record)
      },
    }
    holdCall()
    end('callee_hung_up')
    await vi.advanceTimersByTimeAsync(1900)
    expect(said()).toBe('They hung up. Talked 0:12, charged $0.02.')
  })

  test('shows what the page knows itself when the record takes long', async () => {
    answers = {}
    holdCall()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(2100)
    expect(said()).toBe('You hung up. Talked 0:12.')
  })

  test('a call without a known id is found by its number', async () => {
    answers = {
      '/api/calls': async () =>
        Response.json({ calls: [{ ...record, id: 'c2', to: '+441', cost: 9 }, record], nextCursor: null }),
    }
    holdCall(null)
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(50)
    expect(said()).toContain('charged $0.02')
  })

  test('that was cut off, the page says so at once and the charge when the service is back', async () => {
    let up = false
    answers = {
      '/api/calls/c1': () =>
        up
          ? Promise.resolve(Response.json({ ...record, outcome: 'interrupted' }))
          : Promise.reject(new TypeError('failed to fetch')),
    }
    holdCall()
    end('service_restarted')
    await vi.advanceTimersByTimeAsync(20)
    expect(said()).toBe('The call was cut off. Checking what was charged.')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(said()).toBe('The call was cut off. Checking what was charged.')
    up = true
    await vi.advanceTimersByTimeAsync(3100)
    expect(said()).toBe('Cut off: our service restarted. Talked 0:12, charged $0.02.')
    expect($notice.get()?.tone).toBe('warn')
  })

  test('that got no id and was not answered, nothing needs to be asked', async () => {
    dial()
    end('busy')
    await vi.advanceTimersByTimeAsync(20)
    expect(said()).toBe('The line is busy. Nothing was charged.')
    expect(asked).toEqual([])
  })

  test('the next call removes its text, which does not come back over it', async () => {
    const slow = Promise.withResolvers<Response>()
    answers = { '/api/calls/c1': () => slow.promise }
    holdCall()
    end('connection_lost')
    await vi.advanceTimersByTimeAsync(20)
    expect(said()).not.toBeNull()
    dial()
    expect(said()).toBeNull()
    slow.resolve(Response.json(record))
    await vi.advanceTimersByTimeAsync(5000)
    expect(said()).toBeNull()
    end('cancelled')
  })

  test('that was not answered either, the record decides where there is one', async () => {
    dial()
    happen({ kind: 'identified', attempt, callId: 'c1' })
    end('cancelled')
    expect(said()).toBeNull()
    await vi.advanceTimersByTimeAsync(50)
    expect(said()).toBe('You hung up. Talked 0:12, charged $0.02.')
    expect(asked).toContain('/api/protected/me')
  })

  test('an unanswered call says nothing about the charge before the record', async () => {
    answers = { '/api/calls/c1': unreachable }
    dial()
    happen({ kind: 'identified', attempt, callId: 'c1' })
    end('no_answer')
    await vi.advanceTimersByTimeAsync(2100)
    expect(said()).toBe('Nobody answered. Checking what was charged.')
  })

  test.each([
    ['busy', 'The line is busy. Nothing was charged.', { tone: 'info' }],
    ['declined', 'The call was declined. Nothing was charged.', { tone: 'info' }],
    ['failed', 'The call could not be connected. Nothing was charged.', { tone: 'bad' }],
    [
      'invalid_number',
      'Unrecognised number. Please check the number and try again.',
      { tone: 'bad', remedy: 'number' },
    ],
  ])('the record explains a call of which the page saw only the end: %s', async (outcome, text, more) => {
    const unanswered = { ...record, answeredAt: null, seconds: 0, cost: 0, outcome }
    answers = { '/api/calls/c1': async () => Response.json(unanswered) }
    dial()
    happen({ kind: 'identified', attempt, callId: 'c1' })
    end('no_answer')
    await vi.advanceTimersByTimeAsync(50)
    expect($notice.get()).toMatchObject({ text, ...more })
  })

  test('the record explains a call of which the page saw only the end, and which the server names after it', async () => {
    const unanswered = { ...record, answeredAt: null, seconds: 0, cost: 0, outcome: 'busy' }
    answers = { '/api/calls/c1': async () => Response.json(unanswered) }
    dial()
    end('no_answer')
    expect(said()).toBe('Nobody answered. Nothing was charged.')
    settleLateCall('c1')
    await vi.advanceTimersByTimeAsync(50)
    expect(said()).toBe('The line is busy. Nothing was charged.')
  })

  test('that failed here, the server’s view that it was cancelled does not become the caller’s doing', async () => {
    const cancelled = { ...record, answeredAt: null, seconds: 0, cost: 0, outcome: 'cancelled' }
    answers = { '/api/calls/c1': async () => Response.json(cancelled) }
    dial()
    happen({ kind: 'identified', attempt, callId: 'c1' })
    end('media_failed')
    await vi.advanceTimersByTimeAsync(50)
    expect(said()).toBe('No sound got through. Check your network, then call again.')
  })

  test('the next call does not stop the record: the balance is read when it is settled', async () => {
    let up = false
    answers = { '/api/calls/c1': () => (up ? Promise.resolve(Response.json(record)) : unreachable()) }
    holdCall()
    end('connection_lost')
    await vi.advanceTimersByTimeAsync(1000)
    dial()
    expect(timesAsked('/api/protected/me')).toBe(0)
    up = true
    await vi.advanceTimersByTimeAsync(3100)
    expect(timesAsked('/api/protected/me')).toBe(1)
    expect(said()).toBeNull()
    end('cancelled')
  })

  test('an attempt that never rang gives way to the text of the call before', async () => {
    let up = false
    answers = { '/api/calls/c1': () => (up ? Promise.resolve(Response.json(record)) : unreachable()) }
    holdCall()
    end('connection_lost')
    await vi.advanceTimersByTimeAsync(1000)
    dial()
    end('token_failed')
    expect(said()).toBe('Something went wrong. Please try again.')
    await vi.advanceTimersByTimeAsync(3900)
    expect(said()).toBe('Something went wrong. Please try again.')
    await vi.advanceTimersByTimeAsync(200)
    expect(said()).toBe('Connection to the service lost. Checking what was charged.')
    up = true
    await vi.advanceTimersByTimeAsync(3100)
    expect(said()).toContain('Talked 0:12, charged $0.02.')
  })

  test('a settled charge that was shown does not come back after a failed attempt', async () => {
    holdCall()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(50)
    dial()
    end('token_failed')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said()).toBe('Something went wrong. Please try again.')
  })

  test('says so after a minute of silence, and still shows the charge when it can', async () => {
    let up = false
    answers = { '/api/calls/c1': () => (up ? Promise.resolve(Response.json(record)) : unreachable()) }
    holdCall()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(55_000)
    expect(said()).toBe('You hung up. Talked 0:12.')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said()).toBe(outOfReach)
    expect($notice.get()?.about).toBe('connection')
    up = true
    await vi.advanceTimersByTimeAsync(3100)
    expect(said()).toBe('You hung up. Talked 0:12, charged $0.02.')
    expect($notice.get()?.about).toBeUndefined()
  })

  test('the text about the silence, once dismissed, stays away, and after three minutes the page stops asking', async () => {
    answers = { '/api/calls/c1': unreachable }
    holdCall()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(65_000)
    dismissNotice()
    await vi.advanceTimersByTimeAsync(120_000)
    const times = timesAsked('/api/calls/c1')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(timesAsked('/api/calls/c1')).toBe(times)
    expect(said()).toBeNull()
  })

  test.each([401, 403, 404])('an answer of %i is the last: the history will show it', async status => {
    answers = { '/api/calls/c1': async () => Response.json({}, { status }) }
    holdCall()
    end('service_restarted')
    await vi.advanceTimersByTimeAsync(100)
    expect(said()).toBe('The call was cut off. Your history will show what was charged.')
    const times = timesAsked('/api/calls/c1')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(timesAsked('/api/calls/c1')).toBe(times)
  })
})

test('text about the number disappears when the number is edited; text about the microphone stays, and says how to fix it', () => {
  dial()
  end('unrecognised_number')
  expect($notice.get()).toMatchObject({ tone: 'bad', remedy: 'number' })
  dismissNumberNotice()
  expect(said()).toBeNull()
  dial()
  end('microphone_denied')
  dismissNumberNotice()
  expect($notice.get()).toMatchObject({ tone: 'bad', remedy: 'microphone' })
})

test('the page is marked as in a call from the press of Call to the end, for what must not happen then', () => {
  const dataset: { call?: string } = {}
  vi.stubGlobal('document', { documentElement: { dataset } })
  markLiveCalls()
  const marks = [dataset.call]
  dial()
  marks.push(dataset.call)
  happen({ kind: 'answered', attempt, atMs: 0 })
  marks.push(dataset.call)
  end('callee_hung_up')
  marks.push(dataset.call)
  expect(marks).toEqual([undefined, 'live', 'live', undefined])
})
