import { describe, expect, test, vi } from 'vitest'
import type { User } from '#lib/api/me.ts'
import { dial, end, endWith, keepRecord, pickUp, said, server, timesAsked } from '#support/ended-call.ts'
import { exampleRecord as record } from '#support/example-call.ts'

vi.mock('../call/call.ts', async () => ({ $call: (await import('#support/ended-call.ts')).$call }))
const { followCalls, settleLateCall } = await import('./after-call.ts')
const { markLiveCalls } = await import('../call/mark-live-calls.ts')
const { $notice, dismissNumberNotice } = await import('../notice.ts')

followCalls()
keepRecord()

test('shows the server’s text for a call that was promised free but is charged; the page does not promise another', async () => {
  const { $freeCall } = await import('../call/free-call.ts')
  const { $user } = await import('#session/user.ts')
  const before = $user.get()
  $user.set({ has_used_free_call: false, credits: 1 } as User)
  expect($freeCall.get()).toBe(true)
  dial()
  endWith({ kind: 'not_free', message: 'Not free.' })
  expect($notice.get()).toMatchObject({ text: 'Not free.' })
  expect($freeCall.get()).toBe(false)
  $user.set(before)
})

test('asks for prices again after a rejection, which may have been about one', async () => {
  const { settleRate } = await import('../number/rate.ts')
  const path = '/api/rates/number/%2B4915123456789'
  const rate = { isoCode: 'DE', ourRate: 0.02, kind: 'mobile', freeMinutes: 5 }
  server.answers = { ...server.answers, [path]: async () => Response.json(rate) }
  await settleRate('+4915123456789')
  await settleRate('+4915123456789')
  expect(timesAsked(path)).toBe(1)
  dial()
  endWith({ kind: 'refused', message: 'It costs more.' })
  await settleRate('+4915123456789')
  expect(timesAsked(path)).toBe(2)
})

describe('after a call', () => {
  test('shows its length and charge from the server’s record', async () => {
    dial('c1')
    pickUp()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(150)
    expect(said()).toBe('You hung up. Talked 0:12, charged $0.02.')
    expect($notice.get()?.tone).toBe('info')
  })

  test('asks for the record until it is settled', async () => {
    let times = 0
    server.answers = {
      '/api/calls/c1': async () => {
        times += 1
        return Response.json(times < 3 ? { ...record, state: 'answered', endedAt: null } : record)
      },
    }
    dial('c1')
    pickUp()
    end('callee_hung_up')
    await vi.advanceTimersByTimeAsync(1900)
    expect(said()).toBe('They hung up. Talked 0:12, charged $0.02.')
  })

  test('shows what the page knows itself when the record takes long', async () => {
    server.answers = {}
    dial('c1')
    pickUp()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(2100)
    expect(said()).toBe('You hung up. Talked 0:12.')
  })

  test('a call without a known id is found by its number', async () => {
    server.answers = {
      '/api/calls': async () =>
        Response.json({ calls: [{ ...record, id: 'c2', to: '+441', cost: 9 }, record], nextCursor: null }),
    }
    dial()
    pickUp()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(150)
    expect(said()).toContain('charged $0.02')
  })

  test('that got no id and was not answered, nothing needs to be asked', async () => {
    dial()
    end('busy')
    await vi.advanceTimersByTimeAsync(120)
    expect(said()).toBe('The line is busy. Nothing was charged.')
    expect(server.asked).toEqual([])
  })

  test('that was not answered either, the record decides where there is one', async () => {
    dial('c1')
    end('cancelled')
    expect(said()).toBeNull()
    await vi.advanceTimersByTimeAsync(150)
    expect(said()).toBe('You hung up. Talked 0:12, charged $0.02.')
    expect(server.asked).toContain('/api/protected/me')
  })

  test.each([
    ['busy', 'The line is busy. Nothing was charged.', { tone: 'info' }],
    ['declined', 'The call was declined. Nothing was charged.', { tone: 'info' }],
    ['failed', "The call couldn't be connected. Nothing was charged.", { tone: 'bad' }],
    [
      'invalid_number',
      'Unrecognised number. Please check the number and try again.',
      { tone: 'bad', remedy: 'number' },
    ],
  ])('the record explains a call of which the page saw only the end: %s', async (outcome, text, more) => {
    const unanswered = { ...record, answeredAt: null, seconds: 0, cost: 0, outcome }
    server.answers = { '/api/calls/c1': async () => Response.json(unanswered) }
    dial('c1')
    end('no_answer')
    await vi.advanceTimersByTimeAsync(150)
    expect($notice.get()).toMatchObject({ text, ...more })
  })

  test('the record explains a call of which the page saw only the end, and which the server names after it', async () => {
    const unanswered = { ...record, answeredAt: null, seconds: 0, cost: 0, outcome: 'busy' }
    server.answers = { '/api/calls/c1': async () => Response.json(unanswered) }
    dial()
    end('no_answer')
    expect(said()).toBe('Nobody answered. Nothing was charged.')
    settleLateCall('c1')
    await vi.advanceTimersByTimeAsync(150)
    expect(said()).toBe('The line is busy. Nothing was charged.')
  })

  test('that failed here, the server’s view that it was cancelled does not become the caller’s doing', async () => {
    const cancelled = { ...record, answeredAt: null, seconds: 0, cost: 0, outcome: 'cancelled' }
    server.answers = { '/api/calls/c1': async () => Response.json(cancelled) }
    dial('c1')
    end('media_failed')
    await vi.advanceTimersByTimeAsync(150)
    expect(said()).toBe('No sound got through. Check your network, then call again.')
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
  pickUp()
  marks.push(dataset.call)
  end('callee_hung_up')
  marks.push(dataset.call)
  expect(marks).toEqual([undefined, 'live', 'live', undefined])
})
