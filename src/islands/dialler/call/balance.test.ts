import { atom } from 'nanostores'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { exampleCallee as callee } from '#support/example-call.ts'
import { exampleUser } from '#support/example-user.ts'
import { type Call, type CallEvent, noCall, step } from '#voice/call.ts'

const line = vi.hoisted(() => ({ $call: undefined as unknown }))
vi.mock('./call.ts', () => line)
const $call = atom<Call>(noCall)
line.$call = $call
const { $balance, followBalance, setBalance } = await import('./balance.ts')
const { $user } = await import('#session/user.ts')
const { $lowCredits } = await import('./low-credits.ts')

const user = { ...exampleUser, credits: 1 }
let attempt = 0

vi.useFakeTimers()
let overdrawn = 0
followBalance(() => {
  overdrawn += 1
})

function happen(event: CallEvent): void {
  $call.set(step($call.get(), event))
}
function dial(rateMicroUsd: number): void {
  attempt += 1
  happen({ kind: 'dialled', attempt, callee })
  happen({ kind: 'priced', attempt, rateMicroUsd })
}
function answer(): void {
  happen({ kind: 'answered', attempt, atMs: performance.now() })
}
function hangUp(): void {
  happen({ kind: 'ended', attempt, endReason: { kind: 'caller_hung_up' }, atMs: performance.now() })
}
const shown = () => $balance.get().microUsd

beforeEach(() => {
  overdrawn = 0
  $user.set({ ...user })
  vi.advanceTimersByTime(10_000)
})
afterEach(hangUp)

describe('the balance on the page', () => {
  test('is the user’s, then what the server pushes', () => {
    expect(shown()).toBe(1_000_000)
    setBalance(12.34)
    expect(shown()).toBe(12_340_000)
  })

  test('falls by the rate with each minute begun while no push arrives', () => {
    dial(20_000)
    vi.advanceTimersByTime(3000)
    expect(shown()).toBe(1_000_000)
    answer()
    expect(shown()).toBe(980_000)
    vi.advanceTimersByTime(60_000)
    expect(shown()).toBe(960_000)
  })

  test('counts a minute once, even when its charge arrives before the answer', () => {
    dial(20_000)
    vi.advanceTimersByTime(500)
    setBalance(0.98)
    vi.advanceTimersByTime(80)
    answer()
    vi.advanceTimersByTime(30_000)
    expect(shown()).toBe(980_000)
    vi.advanceTimersByTime(30_000)
    expect(shown()).toBe(960_000)
  })

  test('gives way to the server’s word at every push', () => {
    dial(20_000)
    answer()
    vi.advanceTimersByTime(61_000)
    setBalance(5)
    expect(shown()).toBe(5_000_000)
    vi.advanceTimersByTime(58_000)
    expect(shown()).toBe(5_000_000)
    vi.advanceTimersByTime(2000)
    expect(shown()).toBe(4_980_000)
  })

  test('is not touched by a free call', () => {
    dial(0)
    answer()
    vi.advanceTimersByTime(130_000)
    expect(shown()).toBe(1_000_000)
  })

  test('stops falling when the call is over, and shows the settled balance', () => {
    dial(20_000)
    answer()
    vi.advanceTimersByTime(5000)
    hangUp()
    vi.advanceTimersByTime(300_000)
    expect(shown()).toBe(980_000)
    setBalance(0.98)
    expect(shown()).toBe(980_000)
  })

  test('reports a call that continues uncovered, but only after the server had time to end it', () => {
    setBalance(0.03)
    dial(20_000)
    answer()
    setBalance(0.01)
    vi.advanceTimersByTime(61_000)
    // Too little for another minute, so it is not charged.
    expect([overdrawn, shown()]).toEqual([0, 10_000])
    vi.advanceTimersByTime(4000)
    expect(overdrawn).toBeGreaterThan(0)
  })

  test('says nothing of a call whose minutes are paid, however close the balance is to zero, nor of a free one', () => {
    setBalance(0.02)
    dial(20_000)
    answer()
    setBalance(0)
    vi.advanceTimersByTime(59_000)
    hangUp()
    dial(0)
    answer()
    vi.advanceTimersByTime(200_000)
    expect(overdrawn).toBe(0)
  })

  test('of an earlier call that is settled while the next one rings starts no clock', () => {
    dial(20_000)
    setBalance(0.9)
    vi.advanceTimersByTime(120_000)
    expect(shown()).toBe(900_000)
  })

  test('falls with the next call too when the one before is not settled yet', () => {
    dial(20_000)
    answer()
    vi.advanceTimersByTime(5000)
    hangUp()
    vi.advanceTimersByTime(5000)
    dial(50_000)
    answer()
    expect(shown()).toBe(930_000)
  })
})

describe('little credit', () => {
  const low = () => $lowCredits.get()

  test('is 2 dollars or less, during a charged call alone', () => {
    setBalance(2.02)
    expect(low()).toBe(false)
    dial(20_000)
    expect(low()).toBe(false)
    vi.advanceTimersByTime(3000)
    answer()
    expect([shown(), low()]).toEqual([2_000_000, true])
    setBalance(2.01)
    expect(low()).toBe(false)
    setBalance(1)
    hangUp()
    expect(low()).toBe(false)
  })

  test('does not matter on the free call', () => {
    setBalance(0)
    dial(0)
    answer()
    expect(low()).toBe(false)
  })

  test('matters where the rate is not known, once the free call is used', () => {
    attempt += 1
    happen({ kind: 'dialled', attempt, callee })
    answer()
    expect(low()).toBe(true)
    $user.set({ ...user, has_used_free_call: false })
    expect(low()).toBe(false)
  })
})
