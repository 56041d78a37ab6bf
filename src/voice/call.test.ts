import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { type Call, type CallEvent, callStatus, isLive, noCall, step } from './call.ts'

const run = (...events: readonly CallEvent[]): Call => events.reduce(step, noCall)

const dialled: CallEvent = { kind: 'dialled', attempt: 1, callee }
const ringing: CallEvent = { kind: 'ringing', attempt: 1 }
const answered: CallEvent = { kind: 'answered', attempt: 1, atMs: 5000 }
const ended: CallEvent = { kind: 'ended', attempt: 1, endReason: { kind: 'callee_hung_up' }, atMs: 17_250 }

describe('a call', () => {
  test('goes from the press of Call to the answer and the end', () => {
    const states = [dialled, ringing, answered, ended].map((_, index, all) => run(...all.slice(0, index + 1)))
    expect(states.map(call => call.state)).toEqual(['preparing', 'ringing', 'open', 'ended'])
    expect(states.map(callStatus)).toEqual(['ringing', 'ringing', 'inCall', 'disconnected'])
  })

  test('counts its time from the answer, not from the press of Call', () => {
    expect(run(dialled, ringing, answered, ended)).toMatchObject({ talkedMs: 12_250 })
    expect(run(dialled, ringing, ended)).toMatchObject({ talkedMs: null })
  })

  test('may be answered without having rung', () => {
    expect(run(dialled, answered).state).toBe('open')
  })

  test('stays In Call while it reconnects, and keeps its timer and its mute', () => {
    const lost = run(
      dialled,
      answered,
      { kind: 'muted', attempt: 1, muted: true },
      { kind: 'reconnecting', attempt: 1, lost: 'signalling' },
    )
    expect(lost).toMatchObject({ state: 'reconnecting', lost: 'signalling', muted: true, answeredAtMs: 5000 })
    expect(callStatus(lost)).toBe('inCall')
    const back = step(lost, { kind: 'reconnected', attempt: 1 })
    expect(back).toMatchObject({ state: 'open', muted: true, answeredAtMs: 5000 })
    expect(back).not.toHaveProperty('lost')
  })

  test('is without the service until it is reconnected, whatever else is lost meanwhile', () => {
    const media: CallEvent = { kind: 'reconnecting', attempt: 1, lost: 'media' }
    const signalling: CallEvent = { kind: 'reconnecting', attempt: 1, lost: 'signalling' }
    expect(run(dialled, answered, media, signalling, media)).toMatchObject({ lost: 'signalling' })
    expect(run(dialled, answered, signalling, { kind: 'reconnected', attempt: 1 }, media)).toMatchObject({
      lost: 'media',
    })
  })

  test('a call that ends while the service is gone was lost with it, not for lack of sound', () => {
    const failed: CallEvent = { kind: 'ended', attempt: 1, endReason: { kind: 'media_failed' }, atMs: 40_000 }
    expect(
      run(dialled, answered, { kind: 'reconnecting', attempt: 1, lost: 'signalling' }, failed),
    ).toMatchObject({ endReason: { kind: 'connection_lost' } })
    expect(run(dialled, answered, { kind: 'reconnecting', attempt: 1, lost: 'media' }, failed)).toMatchObject(
      {
        endReason: { kind: 'media_failed' },
      },
    )
  })

  test('is muted only once answered', () => {
    const before = run(dialled, ringing)
    expect(step(before, { kind: 'muted', attempt: 1, muted: true })).toBe(before)
  })

  test('cannot be dialled over: a second press of Call changes nothing', () => {
    const live = run(dialled, answered)
    expect(step(live, { kind: 'dialled', attempt: 2, callee })).toBe(live)
  })

  test('is not touched by events of an earlier one', () => {
    const second = run(dialled, ended, { kind: 'dialled', attempt: 2, callee })
    expect(step(second, answered)).toBe(second)
    expect(step(second, ended)).toBe(second)
  })

  test('knows its price once that is sent, and keeps it to the end', () => {
    expect(run(dialled)).toMatchObject({ rateMicroUsd: null })
    const call = run(dialled, answered, { kind: 'priced', attempt: 1, rateMicroUsd: 20_000 }, ended)
    expect(call).toMatchObject({ state: 'ended', rateMicroUsd: 20_000 })
  })

  test('takes its id from the server at any moment, and keeps it to the end', () => {
    const call = run(dialled, answered, { kind: 'identified', attempt: 1, callId: 'c1' }, ended)
    expect(call).toMatchObject({ state: 'ended', callId: 'c1' })
  })
})

const attempt = fc.integer({ min: 1, max: 3 })
const atMs = fc.nat(100_000)
const anyEvent: fc.Arbitrary<CallEvent> = fc.oneof(
  fc.record({ kind: fc.constant('dialled' as const), attempt, callee: fc.constant(callee) }),
  fc.record({ kind: fc.constant('connecting' as const), attempt, attemptId: fc.constantFrom('a1', 'a2') }),
  fc.record({ kind: fc.constant('identified' as const), attempt, callId: fc.constantFrom('c1', 'c2') }),
  fc.record({ kind: fc.constantFrom('ringing' as const, 'reconnected' as const), attempt }),
  fc.record({
    kind: fc.constant('priced' as const),
    attempt,
    rateMicroUsd: fc.constantFrom(0, 20_000, null),
  }),
  fc.record({ kind: fc.constant('answered' as const), attempt, atMs }),
  fc.record({ kind: fc.constant('muted' as const), attempt, muted: fc.boolean() }),
  fc.record({
    kind: fc.constant('reconnecting' as const),
    attempt,
    lost: fc.constantFrom('signalling' as const, 'media' as const),
  }),
  fc.record({
    kind: fc.constant('ended' as const),
    attempt,
    endReason: fc.constant({ kind: 'busy' as const }),
    atMs,
  }),
)

describe('whatever events arrive', () => {
  test('nothing throws, and only a new call leaves the ended state', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), events => {
        let call: Call = noCall
        for (const event of events) {
          const next = step(call, event)
          if (call.state === 'ended' && next !== call) {
            expect(event.kind).toBe('dialled')
            expect(event.attempt).toBeGreaterThan(call.attempt)
            expect(next.state).toBe('preparing')
          }
          if (call.state !== 'idle' && next.state !== 'idle') {
            expect(next.attempt).toBeGreaterThanOrEqual(call.attempt)
          }
          call = next
        }
      }),
      { seed: 20, numRuns: 2000 },
    )
  })

  test('a live call only moves forward, never back to before its answer', () => {
    const order = { idle: 0, preparing: 1, ringing: 2, open: 3, reconnecting: 3, ended: 4 }
    fc.assert(
      fc.property(fc.array(anyEvent, { maxLength: 40 }), events => {
        let call: Call = noCall
        for (const event of events) {
          const next = step(call, event)
          if (isLive(call)) expect(order[next.state]).toBeGreaterThanOrEqual(order[call.state])
          call = next
        }
      }),
      { seed: 21, numRuns: 2000 },
    )
  })
})
