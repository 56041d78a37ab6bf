import { digitGapMs, digitPauseMs, maxWaitingDigits, sendableDigits } from '#lib/rules/digits.ts'

export interface DigitQueue {
  /** Takes what may be sent out of any text, up to `maxWaitingDigits` waiting at one time. */
  add(text: string): void
  /** Drops what still waits. */
  cancel(): void
  /** Nothing leaves until `release`: a digit sent while the line is lost would be lost with it. */
  hold(): void
  release(): void
}

export interface DigitQueueState {
  /** Every digit that has left during this call, in order. */
  readonly sent: string
  /** What still waits, pauses included. */
  readonly waiting: string
  /** Digits of the present burst that have left, and all it holds. A burst ends when nothing waits. */
  readonly burst: { readonly sent: number; readonly total: number }
  /** Digits of the present burst that did not fit. */
  readonly refused: number
}

export const emptyDigits: DigitQueueState = {
  sent: '',
  waiting: '',
  burst: { sent: 0, total: 0 },
  refused: 0,
}

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
  let held = false

  function change(next: DigitQueueState): void {
    state = next
    onChange(state)
  }

  function rest(ms: number): void {
    resting = true
    wait(ms, () => {
      resting = false
      proceed()
    })
  }

  function proceed(): void {
    const next = state.waiting[0]
    if (resting || held || next === undefined) return
    const waiting = state.waiting.slice(1)
    if (next === 'w') {
      change({ ...state, waiting })
      rest(digitPauseMs)
      return
    }
    send(next)
    const burst = { ...state.burst, sent: state.burst.sent + 1 }
    change({ ...state, sent: state.sent + next, waiting, burst })
    rest(digitGapMs)
  }

  return {
    add(text) {
      const digits = sendableDigits(text)
      if (digits === '') return
      const taken = digits.slice(0, maxWaitingDigits - state.waiting.length)
      const fresh = state.waiting === ''
      const already = fresh ? { sent: 0, total: 0 } : state.burst
      change({
        ...state,
        waiting: state.waiting + taken,
        burst: { sent: already.sent, total: already.total + taken.replaceAll('w', '').length },
        refused: (fresh ? 0 : state.refused) + digits.length - taken.length,
      })
      proceed()
    },
    cancel() {
      if (state.waiting !== '') change({ ...state, waiting: '', burst: { sent: 0, total: 0 }, refused: 0 })
    },
    hold() {
      held = true
    },
    release() {
      held = false
      proceed()
    },
  }
}
