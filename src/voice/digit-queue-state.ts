/** How far the digits of a call are. */
export interface DigitQueueState {
  /** Every digit that has left during this call, in order. */
  readonly sent: string
  /** What still waits, pauses included. */
  readonly waiting: string
  /** Digits of the present burst that have left, all it holds, and its pauses. A burst ends when nothing waits. */
  readonly burst: { readonly sent: number; readonly total: number; readonly pauses: number }
  /** Digits of the present burst that did not fit. */
  readonly refused: number
  /** A digit or a pause is under way, or waits and may leave: the microphone is to be silent. */
  readonly sending: boolean
}

export const emptyDigits: DigitQueueState = {
  sent: '',
  waiting: '',
  burst: { sent: 0, total: 0, pauses: 0 },
  refused: 0,
  sending: false,
}
