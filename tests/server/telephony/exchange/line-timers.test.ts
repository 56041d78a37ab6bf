import { expect, test } from 'vitest'
import { LineTimers } from '#server/telephony/exchange/line-timers.ts'
import { createStoppedClock } from '#support/movable-clock.ts'

test('runs what is due in the order in which it is due, each at its own moment', () => {
  const clock = createStoppedClock(new Date(0))
  const timers = new LineTimers(clock)
  const ran: string[] = []
  const note = (name: string) => () => ran.push(`${name} at ${timers.nowMs()}`)
  timers.add(300, note('late'))
  timers.add(100, () => {
    note('early')()
    timers.add(50, note('followed'))
  })
  expect(timers.nextDueAtMs).toBe(100)
  clock.advance(1000)
  while (timers.nextDueAtMs <= clock.monotonicMs()) timers.runNext()
  expect(ran).toEqual(['early at 100', 'followed at 150', 'late at 300'])
  expect(timers.nowMs()).toBe(1000)
})

test('what is done at one moment stays there, however long it takes', () => {
  const clock = createStoppedClock(new Date(0))
  const timers = new LineTimers(clock)
  timers.runNow(() => {
    clock.advance(7)
    timers.add(5000, () => undefined)
  })
  expect(timers.nextDueAtMs).toBe(5000)
})

test('forgets everything when asked to', () => {
  const timers = new LineTimers(createStoppedClock())
  timers.add(1, () => undefined)
  timers.clear()
  expect(timers.nextDueAtMs).toBe(Number.POSITIVE_INFINITY)
})
