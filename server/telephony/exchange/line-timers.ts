import type { Clock } from '../../process/clock.ts'

/** Timers of an endpoint, by the server's clock. While one runs, the current time is the moment at which it was due. */
export class LineTimers {
  readonly #clock: Clock
  #waiting: { readonly dueAtMs: number; readonly action: () => void }[] = []
  #runningAtMs: number | undefined

  constructor(clock: Clock) {
    this.#clock = clock
  }

  nowMs(): number {
    return this.#runningAtMs ?? this.#clock.monotonicMs()
  }

  /** When the next one is due; infinity if there is none. */
  get nextDueAtMs(): number {
    return this.#waiting[0]?.dueAtMs ?? Number.POSITIVE_INFINITY
  }

  add(ms: number, action: () => void): void {
    this.#waiting.push({ dueAtMs: this.nowMs() + ms, action })
    this.#waiting.sort((a, b) => a.dueAtMs - b.dueAtMs)
  }

  runNext(): void {
    const next = this.#waiting.shift()
    if (next !== undefined) this.#runAt(next.dueAtMs, next.action)
  }

  /** Runs `action` with the time standing still. */
  runNow(action: () => void): void {
    this.#runAt(this.nowMs(), action)
  }

  #runAt(atMs: number, action: () => void): void {
    const outer = this.#runningAtMs
    this.#runningAtMs = atMs
    try {
      action()
    } finally {
      this.#runningAtMs = outer
    }
  }

  clear(): void {
    this.#waiting = []
  }
}
