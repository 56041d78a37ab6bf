import { type RealTimeText, textRelayLimits } from '#lib/calls/real-time-text.ts'
import type { Clock } from '../../process/clock.ts'

/**
 * What one side may still send of real-time text (ADR-71). Text passes through memory: nothing here keeps or logs it.
 * What is not admitted is dropped; its sender sends it again, since no acknowledgement comes.
 */
export class TextRelay {
  readonly #clock: Clock
  #left: number = textRelayLimits.charactersPerCall
  #burst: number = textRelayLimits.burst
  #atMs: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#atMs = clock.monotonicMs()
  }

  admits(message: RealTimeText): boolean {
    // An acknowledgement weighs one character.
    const weight = 'typed' in message ? [...message.typed].length : 1
    const nowMs = this.#clock.monotonicMs()
    const { charactersPerSecond, burst } = textRelayLimits
    this.#burst = Math.min(burst, this.#burst + ((nowMs - this.#atMs) / 1000) * charactersPerSecond)
    this.#atMs = nowMs
    if (weight > this.#burst || weight > this.#left) return false
    this.#burst -= weight
    this.#left -= weight
    return true
  }
}
