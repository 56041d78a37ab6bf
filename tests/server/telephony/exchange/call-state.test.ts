import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  answeredMs,
  type CallState,
  type CallStep,
  deadlines,
  forsakenAt,
  nextDeadline,
  step,
  type Vitals,
} from '#server/telephony/exchange/call-state.ts'

const well: Vitals = { heardAtMs: undefined, quiet: false, signallingLostAtMs: undefined }
const placing: CallState = { kind: 'placing', sinceMs: 1000 }

function after(...steps: CallStep[]): CallState {
  return steps.reduce(step, placing)
}

const placed = { kind: 'placed', atMs: 1100, limitMs: 60_000, ringWithinMs: 20_000 } as const
const rang: CallStep = { kind: 'rang', atMs: 1200 }
const connected: CallStep = { kind: 'audio_connected' }
const answered: CallStep = { kind: 'answered', atMs: 2000.25, billed: false }
const billed: CallStep = { kind: 'answered', atMs: 2000.25, billed: true }

test('goes from placing to answered one step at a time', () => {
  expect(after(placed)).toMatchObject({ kind: 'placed', limitMs: 60_000 })
  expect(after(placed, rang)).toMatchObject({ kind: 'ringing', audioConnected: false })
  expect(after(placed, rang, connected)).toMatchObject({ kind: 'ringing', audioConnected: true })
  expect(after(placed, rang, connected, answered)).toEqual({
    kind: 'answered',
    answeredAtMs: 2000.25,
    limitMs: 60_000,
    billed: false,
  })
})

test('is not answered before audio can flow', () => {
  const ringing = after(placed, rang)
  expect(step(ringing, answered)).toBe(ringing)
})

test('an answer that a carrier bills counts, whether or not anything rang or is heard', () => {
  const state = { kind: 'answered', answeredAtMs: 2000.25, limitMs: 60_000, billed: true }
  expect(after(placed, billed)).toEqual(state)
  expect(after(placed, rang, billed)).toEqual(state)
  expect(step(placing, billed)).toBe(placing)
  expect(after(placed, billed, rang)).toEqual(state)
})

test('a caller who is not heard any more pays as long as a carrier bills the call', () => {
  const state = after(placed, billed)
  const silent = { heardAtMs: 12_000, quiet: true, signallingLostAtMs: undefined }
  const overAtMs = 12_000 + deadlines.silenceMs
  expect(nextDeadline(state, silent)).toEqual({
    ...{ end: 'connection_lost', dueAtMs: overAtMs, endedAtMs: overAtMs },
  })
  expect(nextDeadline(state, { ...silent, signallingLostAtMs: 12_000 })).toEqual({
    ...{ end: 'connection_lost', dueAtMs: 42_000, endedAtMs: 42_000 },
  })
  expect(forsakenAt(state, silent, 14_000)).toBe(14_000)
})

test('an ended call stays as it ended', () => {
  const ended = after(placed, { kind: 'ended', atMs: 1500, end: 'cancelled' })
  for (const late of [placed, rang, connected, answered, { kind: 'limit_moved', limitMs: 1 } as const]) {
    expect(step(ended, late)).toBe(ended)
  }
  expect(step(ended, { kind: 'ended', atMs: 9000, end: 'failed' })).toBe(ended)
})

test('a call that nobody answered has no answered time', () => {
  expect(after(placed, rang, { kind: 'ended', atMs: 9000, end: 'no_answer' })).toEqual({
    kind: 'ended',
    answeredMs: null,
    end: 'no_answer',
  })
})

test('a call ended late at its limit counts exactly the limit', () => {
  const state = after(placed, rang, connected, answered)
  expect(nextDeadline(state, well)).toMatchObject({ end: 'limit', dueAtMs: 62_000.25 })
  expect(step(state, { kind: 'ended', atMs: 70_000, end: 'limit' })).toMatchObject({ answeredMs: 60_000 })
})

test('binary fractions do not cost the last millisecond', () => {
  for (let index = 0; index < 2000; index++) {
    const atMs = 1e6 + index * 0.1237
    const state = after(placed, rang, connected, { kind: 'answered', atMs, billed: false })
    const due = nextDeadline(state, well)
    expect(answeredMs(state, due?.endedAtMs ?? 0)).toBe(60_000)
  }
})

test('milliseconds are rounded down, in favour of the caller', () => {
  const state = after(placed, rang, connected, answered)
  expect(answeredMs(state, 2000.25 + 1234.9)).toBe(1234)
})

test('a moved limit counts from the answer, and may lie in the past', () => {
  const state = after(placed, rang, connected, answered, { kind: 'limit_moved', limitMs: 120_000 })
  expect(nextDeadline(state, well)).toMatchObject({ dueAtMs: 122_000.25 })
  const shortened = step(state, { kind: 'limit_moved', limitMs: 5000 })
  expect(answeredMs(shortened, 50_000)).toBe(5000)
})

test('loses a caller who is not heard for 45 s, who pays only until last heard', () => {
  const state = after(placed, rang, connected, answered)
  const silent = { ...well, quiet: true, heardAtMs: 12_000.25 }
  expect(nextDeadline(state, silent)).toEqual({
    end: 'connection_lost',
    dueAtMs: 12_000.25 + deadlines.silenceMs,
    endedAtMs: 12_000.25,
  })
})

test('a clock that leaps does not lose a caller whose packets still come', () => {
  const state = after(placed, rang, connected, answered)
  expect(nextDeadline(state, { ...well, heardAtMs: 2000 })?.end).toBe('limit')
})

test('a caller without a socket is given 30 s to come back', () => {
  const state = after(placed, rang, connected, answered)
  const lost = { ...well, signallingLostAtMs: 10_000 }
  expect(nextDeadline(state, lost)).toEqual({ end: 'connection_lost', dueAtMs: 40_000, endedAtMs: 40_000 })
})

test('a caller without a socket who is not heard either pays until last heard', () => {
  const state = after(placed, rang, connected, answered)
  const crashed = { heardAtMs: 9990, quiet: true, signallingLostAtMs: 10_000 }
  expect(nextDeadline(state, crashed)).toEqual({
    end: 'connection_lost',
    dueAtMs: 40_000,
    endedAtMs: 9990,
  })
})

test('a caller who dials again has left a call in which they are no longer heard, but not one in which they talk', () => {
  const state = after(placed, rang, connected, answered)
  const silent = { ...well, heardAtMs: 9000, quiet: true }
  expect(forsakenAt(state, silent, 11_000)).toBe(9000)
  expect(forsakenAt(state, silent, 10_999)).toBeUndefined()
  expect(forsakenAt(state, { ...silent, quiet: false }, 60_000)).toBeUndefined()
  expect(forsakenAt(after(placed, rang, connected), silent, 60_000)).toBeUndefined()
})

test('whatever comes first ends the call', () => {
  const state = after({ ...placed, limitMs: 15_000 }, rang, connected, answered)
  const lost = { heardAtMs: 3000, quiet: true, signallingLostAtMs: 3000 }
  expect(nextDeadline(state, lost)?.end).toBe('limit')
})

test.each([
  ['a decision that does not come', placing, 'service_failed', 1000 + deadlines.placingMs],
  ['a line that does not ring', after(placed), 'failed', 1100 + placed.ringWithinMs],
  ['audio that does not connect', after(placed, rang), 'failed', 1200 + deadlines.connectingMs],
  ['nobody answering', after(placed, rang, connected), 'no_answer', 1200 + deadlines.ringingMs],
] as const)('%s ends the call', (_, state, end, dueAtMs) => {
  expect(nextDeadline(state, well)).toMatchObject({ end, dueAtMs })
})

test('no order of events makes a call longer than its limit, or undoes its end', () => {
  const at = fc.double({ min: 0, max: 1e7, noNaN: true })
  const anyStep: fc.Arbitrary<CallStep> = fc.oneof(
    fc.record({
      kind: fc.constant('placed' as const),
      atMs: at,
      limitMs: fc.nat(1e6),
      ringWithinMs: fc.nat(1e5),
    }),
    fc.record({ kind: fc.constant('rang' as const), atMs: at }),
    fc.record({ kind: fc.constant('audio_connected' as const) }),
    fc.record({ kind: fc.constant('answered' as const), atMs: at, billed: fc.boolean() }),
    fc.record({ kind: fc.constant('limit_moved' as const), limitMs: fc.nat(1e6) }),
    fc.record({ kind: fc.constant('ended' as const), atMs: at, end: fc.constant('limit' as const) }),
  )
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 12 }), at, (steps, nowMs) => {
      let state = after()
      for (const event of steps) {
        const next = step(state, event)
        if (state.kind === 'ended') expect(next).toBe(state)
        const limitMs = 'limitMs' in state ? state.limitMs : 0
        const lasted = answeredMs(state, nowMs)
        if (state.kind === 'answered') expect(lasted).toBeLessThanOrEqual(limitMs)
        if (next.kind === 'ended' && state.kind !== 'ended')
          expect(next.answeredMs ?? 0).toBeLessThanOrEqual(limitMs)
        state = next
      }
    }),
    { seed: 20_260_301, numRuns: 500 },
  )
})
