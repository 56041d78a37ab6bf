import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadPhoneRules } from '#shared/numbers/phone-rules.ts'
import { $caution } from './caution.ts'
import { followNumber, setNumber } from './dial.ts'
import { followNight } from './follow-night.ts'

vi.stubGlobal('window', new EventTarget())
vi.useFakeTimers({ now: Date.UTC(2026, 10, 23, 21, 42) })
followNumber()
followNight()

beforeEach(() => loadPhoneRules())
afterEach(() => setNumber(''))

test('the clock goes on by the minute, and a screen reader hears it once per number', async () => {
  setNumber('+919876543210')
  await vi.advanceTimersByTimeAsync(0)
  const first = "It's 03:12 in India. They may be asleep."
  expect($caution.get()).toEqual({ kind: 'night', text: first, spoken: first })
  await vi.advanceTimersByTimeAsync(2 * 60_000)
  expect($caution.get()).toEqual({ kind: 'night', text: first.replace('12', '14'), spoken: first })
  setNumber('+919876543211')
  await vi.advanceTimersByTimeAsync(0)
  expect($caution.get()?.spoken).toBe(first.replace('12', '14'))
})

test('nobody hears anything where people are up', async () => {
  setNumber('+12125550100')
  await vi.advanceTimersByTimeAsync(0)
  expect($caution.get()).toBeNull()
})
