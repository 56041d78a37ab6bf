import { minuteMs } from '#lib/time.ts'
import type { Clock } from '../../process/clock.ts'
import type { CallInspection } from '../port.ts'
import type { CallObservation } from './call-contract.ts'

export interface EndedCall {
  readonly inspection: Extract<CallInspection, { readonly kind: 'ended' }>
  readonly observation: CallObservation
}

/** Long enough for reconciliation, also after a restart of its own. */
const keptForMs = 10 * minuteMs
const maxKept = 10_000

export class EndedCalls {
  readonly #clock: Clock
  readonly #calls = new Map<string, EndedCall & { readonly endedAtMs: number }>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  add(callId: string, call: EndedCall): void {
    this.#calls.set(callId, { ...call, endedAtMs: this.#clock.monotonicMs() })
    this.#forget()
  }

  get(callId: string): EndedCall | undefined {
    this.#forget()
    return this.#calls.get(callId)
  }

  #forget(): void {
    const oldestMs = this.#clock.monotonicMs() - keptForMs
    for (const [callId, call] of this.#calls) {
      if (call.endedAtMs >= oldestMs && this.#calls.size <= maxKept) return
      this.#calls.delete(callId)
    }
  }
}
