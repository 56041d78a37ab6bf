import type { Clock } from '#server/process/clock.ts'

export interface MovableClock extends Clock {
  /** Moves both the wall clock and the monotonic one. */
  advance(ms: number): void
}

/** Runs in real time and can be advanced. */
export function createRunningClock(): MovableClock {
  let offsetMs = 0
  return {
    now: () => new Date(Date.now() + offsetMs),
    monotonicMs: () => performance.now() + offsetMs,
    advance: ms => {
      offsetMs += ms
    },
  }
}

export function createStoppedClock(start = new Date('2026-03-01T12:00:00Z')): MovableClock {
  let nowMs = start.getTime()
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => nowMs,
    advance: ms => {
      nowMs += ms
    },
  }
}
