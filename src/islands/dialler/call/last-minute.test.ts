import { atom } from 'nanostores'
import { afterEach, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const line = vi.hoisted(() => ({ $call: undefined as unknown }))
const terms = vi.hoisted(() => ({ $limitMinutes: undefined as unknown }))
vi.mock('./call.ts', () => line)
vi.mock('./call-terms.ts', () => terms)
const $call = atom<Call>(noCall)
const $limitMinutes = atom<number | null>(null)
line.$call = $call
terms.$limitMinutes = $limitMinutes
const { $lastMinute, followLastMinute } = await import('./last-minute.ts')

let attempt = 0

vi.useFakeTimers()
followLastMinute()

function happen(event: CallEvent): void {
  $call.set(step($call.get(), event))
}
function answer(limitMinutes: number | null): void {
  attempt += 1
  happen({ kind: 'dialled', attempt, callee })
  happen({ kind: 'answered', attempt, atMs: performance.now() })
  $limitMinutes.set(limitMinutes)
}
const last = () => $lastMinute.get()

afterEach(() => {
  happen({ kind: 'ended', attempt, endReason: { kind: 'caller_hung_up' }, atMs: performance.now() })
  expect(last()).toBe(false)
})

test('begins a minute before the limit, and stays until the call has ended', () => {
  answer(5)
  vi.advanceTimersByTime(239_000)
  expect(last()).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(last()).toBe(true)
  happen({ kind: 'muted', attempt, muted: true })
  vi.advanceTimersByTime(65_000)
  expect(last()).toBe(true)
})

test('is the whole of a call of one minute', () => {
  answer(1)
  expect(last()).toBe(true)
})

test('never begins where no limit is known, nor after the call', () => {
  answer(null)
  vi.advanceTimersByTime(24 * 3_600_000)
  expect(last()).toBe(false)
  $limitMinutes.set(2000)
  happen({ kind: 'ended', attempt, endReason: { kind: 'caller_hung_up' }, atMs: performance.now() })
  vi.advanceTimersByTime(24 * 3_600_000)
  expect(last()).toBe(false)
})

test('goes when the limit is raised, and begins again in its time', () => {
  answer(2)
  vi.advanceTimersByTime(70_000)
  expect(last()).toBe(true)
  $limitMinutes.set(4)
  expect(last()).toBe(false)
  vi.advanceTimersByTime(110_000)
  expect(last()).toBe(true)
})
