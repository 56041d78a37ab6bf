import { extensionPauseMs, keepExtension } from '#lib/numbers/extension.ts'
import { type DigitQueueState, emptyDigits } from './digit-queue-state.ts'
import { digitGapMs, digitPauseMs, maxWaitingDigits, sendableDigits } from './digits.ts'

export interface DigitQueue {
  /** Queues the sendable digits of any text, up to `maxWaitingDigits` at a time. */
  add(text: string): void
  /** Queues an extension; each comma is a pause of 2 s. */
  play(extension: string): void
  cancel(): void
  /** Pauses sending until `release`: digits sent during a lost connection would be lost too. */
  hold(): void
  release(): void
}

const pauses: Readonly<Record<string, number>> = { w: digitPauseMs, ',': extensionPauseMs }
const isPause = (sign: string) => sign in pauses

export interface DigitQueuePorts {
  /** Sends one digit: 0-9, `*` or `#`. */
  readonly send: (digit: string) => void
  readonly wait: (ms: number, callback: () => void) => void
  readonly onChange: (state: DigitQueueState) => void
}

/** All digits of a call go through here, at least `digitGapMs` apart. Pauses are never left to the client. */
export function createDigitQueue({ send, wait, onChange }: DigitQueuePorts): DigitQueue {
  let state = emptyDigits
  let resting = false
  /** Generation of the current rest; the callback of a cancelled one is ignored. */
  let rests = 0
  let pausing = false
  let held = false

  function change(next: DigitQueueState): void {
    state = { ...next, sending: !held && (resting || next.waiting !== '') }
    onChange(state)
  }

  function renew(): void {
    if (state.sending !== (!held && (resting || state.waiting !== ''))) change(state)
  }

  function rest(ms: number, isPauseBetween: boolean): void {
    rests += 1
    const current = rests
    resting = true
    pausing = isPauseBetween
    wait(ms, () => {
      if (current !== rests) return
      resting = false
      proceed()
      renew()
    })
  }

  function proceed(): void {
    const next = state.waiting[0]
    if (resting || held || next === undefined) return
    const waiting = state.waiting.slice(1)
    const pauseMs = pauses[next]
    if (pauseMs !== undefined) {
      rest(pauseMs, true)
      change({ ...state, waiting })
      return
    }
    send(next)
    rest(digitGapMs, false)
    const burst = { ...state.burst, sent: state.burst.sent + 1 }
    change({ ...state, sent: state.sent + next, waiting, burst })
  }

  function enqueue(signs: string): void {
    if (signs === '') return
    const accepted = signs.slice(0, maxWaitingDigits - state.waiting.length)
    const fresh = state.waiting === ''
    const already = fresh ? { sent: 0, total: 0, pauses: 0 } : state.burst
    const added = [...accepted].filter(isPause).length
    change({
      ...state,
      waiting: state.waiting + accepted,
      burst: {
        sent: already.sent,
        total: already.total + accepted.length - added,
        pauses: already.pauses + added,
      },
      refused: (fresh ? 0 : state.refused) + signs.length - accepted.length,
    })
    proceed()
  }

  return {
    add: text => enqueue(sendableDigits(text)),
    play: extension => enqueue(keepExtension(extension)),
    cancel() {
      // Cancels a pause, but keeps the gap after a digit.
      if (resting && pausing) {
        rests += 1
        resting = false
      }
      if (state.waiting !== '') change({ ...state, waiting: '', burst: emptyDigits.burst, refused: 0 })
    },
    hold() {
      held = true
      renew()
    },
    release() {
      held = false
      renew()
      proceed()
    },
  }
}
