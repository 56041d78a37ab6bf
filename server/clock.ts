/** Time as a parameter: tests hand in one they can move (reliability row 16). */
export interface Clock {
  /** The wall clock, for what is written down. */
  now(): Date
  /** Milliseconds that never jump, for durations. Only differences mean anything. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
