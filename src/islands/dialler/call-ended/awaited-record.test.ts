import { describe, expect, test, vi } from 'vitest'
import { dial, end, keepRecord, pickUp, said, server, timesAsked, unreachable } from '#support/ended-call.ts'
import { exampleRecord as record } from '#support/example-call.ts'

vi.mock('../call/call.ts', async () => ({ $call: (await import('#support/ended-call.ts')).$call }))
const { followCalls } = await import('./after-call.ts')
const { $notice, dismissNotice } = await import('../notice.ts')

followCalls()
keepRecord()
const outOfReach = "We can't reach the service. Your history will show what was charged."

describe('after a call', () => {
  test('that was cut off, the page says so at once and the charge when the service is back', async () => {
    let up = false
    server.answers = {
      '/api/calls/c1': () =>
        up ? Promise.resolve(Response.json({ ...record, outcome: 'interrupted' })) : unreachable(),
    }
    dial('c1')
    pickUp()
    end('service_restarted')
    await vi.advanceTimersByTimeAsync(120)
    expect(said()).toBe('The call was cut off. Checking what was charged.')
    await vi.advanceTimersByTimeAsync(30_000)
    expect(said()).toBe('The call was cut off. Checking what was charged.')
    up = true
    await vi.advanceTimersByTimeAsync(3100)
    expect(said()).toBe('Cut off: our service restarted. Talked 0:12, charged $0.02.')
    expect($notice.get()?.tone).toBe('warn')
  })

  test('the next call removes its text, which does not come back over it', async () => {
    const slow = Promise.withResolvers<Response>()
    server.answers = { '/api/calls/c1': () => slow.promise }
    dial('c1')
    pickUp()
    end('connection_lost')
    await vi.advanceTimersByTimeAsync(120)
    expect(said()).not.toBeNull()
    dial()
    expect(said()).toBeNull()
    slow.resolve(Response.json(record))
    await vi.advanceTimersByTimeAsync(5000)
    expect(said()).toBeNull()
    end('cancelled')
  })

  test('an unanswered call says nothing about the charge before the record', async () => {
    server.answers = { '/api/calls/c1': unreachable }
    dial('c1')
    end('no_answer')
    await vi.advanceTimersByTimeAsync(2100)
    expect(said()).toBe('Nobody answered. Checking what was charged.')
  })

  test('the next call does not stop the record: the balance is read when it is settled', async () => {
    let up = false
    server.answers = { '/api/calls/c1': () => (up ? Promise.resolve(Response.json(record)) : unreachable()) }
    dial('c1')
    pickUp()
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
    server.answers = { '/api/calls/c1': () => (up ? Promise.resolve(Response.json(record)) : unreachable()) }
    dial('c1')
    pickUp()
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
    dial('c1')
    pickUp()
    end('caller_hung_up')
    await vi.advanceTimersByTimeAsync(150)
    dial()
    end('token_failed')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(said()).toBe('Something went wrong. Please try again.')
  })

  test('says so after a minute of silence, and still shows the charge when it can', async () => {
    let up = false
    server.answers = { '/api/calls/c1': () => (up ? Promise.resolve(Response.json(record)) : unreachable()) }
    dial('c1')
    pickUp()
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
    server.answers = { '/api/calls/c1': unreachable }
    dial('c1')
    pickUp()
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
    server.answers = { '/api/calls/c1': async () => Response.json({}, { status }) }
    dial('c1')
    pickUp()
    end('service_restarted')
    await vi.advanceTimersByTimeAsync(200)
    expect(said()).toBe('The call was cut off. Your history will show what was charged.')
    const times = timesAsked('/api/calls/c1')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(timesAsked('/api/calls/c1')).toBe(times)
  })
})
