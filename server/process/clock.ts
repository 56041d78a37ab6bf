/** Time as a parameter, so that tests can control it (REL-16). */
export interface Clock {
  now(): Date
  /** Milliseconds that never jump, for durations. Only differences are meaningful. */
  monotonicMs(): number
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
}
