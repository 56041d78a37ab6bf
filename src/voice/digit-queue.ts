import { digitGapMs, digitPauseMs, maxWaitingDigits, sendableDigits } from '#lib/rules/digits.ts'
import { extensionPauseMs, keepExtension } from '#lib/rules/extension.ts'
import { type DigitQueueState, emptyDigits } from './digit-queue-state.ts'

export interface DigitQueue {
  /** Takes what may be sent out of any text, up to `maxWaitingDigits` waiting at one time. */
  add(text: string): void
  /** Takes an extension, its commas being pauses of 2 s. */
  play(extension: string): void
  /** Drops what still waits. */
  cancel(): void
  /** Nothing leaves until `release`: a digit sent while the line is lost would be lost with it. */
  hold(): void
  release(): void
}

/** Milliseconds of each pause. */
const pauses: Readonly<Record<string, number>> = { w: digitPauseMs, ',': extensionPauseMs }
const isPause = (sign: string) => sign in pauses

export interface DigitQueuePorts {
  /** Sends one digit: 0-9, `*` or `#`. */
  readonly send: (digit: string) => void
  /** Calls back once after so many milliseconds. */
  readonly wait: (ms: number, callback: () => void) => void
  readonly onChange: (state: DigitQueueState) => void
}

/**
 * The one queue through which every digit of a call leaves, typed, clicked or pasted, at least
 * `digitGapMs` apart however they came in. A pause is made here, never by the voice client.
 */
export function createDigitQueue({ send, wait, onChange }: DigitQueuePorts): DigitQueue {
  let state = emptyDigits
  let resting = false
  /** Of the present rest: one that was cut short means nothing when its time is over. */
  let rests = 0
  let pausing = false
  let held = false

  function change(next: DigitQueueState): void {
    state = { ...next, sending: !held && (resting || next.waiting !== '') }
    onChange(state)
  }

  /** What follows from a hold or a rest alone. */
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
    const taken = signs.slice(0, maxWaitingDigits - state.waiting.length)
    const fresh = state.waiting === ''
    const already = fresh ? { sent: 0, total: 0, pauses: 0 } : state.burst
    const added = [...taken].filter(isPause).length
    change({
      ...state,
      waiting: state.waiting + taken,
      burst: {
        sent: already.sent,
        total: already.total + taken.length - added,
        pauses: already.pauses + added,
      },
      refused: (fresh ? 0 : state.refused) + signs.length - taken.length,
    })
    proceed()
  }

  return {
    add: text => enqueue(sendableDigits(text)),
    play: extension => enqueue(keepExtension(extension)),
    cancel() {
      // A pause goes with what it was for; the gap behind a digit stays.
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
