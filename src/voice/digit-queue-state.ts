export interface DigitQueueState {
  readonly sent: string
  readonly waiting: string
  /** Digits sent, digits in total and pauses of the current burst. A burst ends when the queue is empty. */
  readonly burst: { readonly sent: number; readonly total: number; readonly pauses: number }
  readonly refused: number
  /** A digit or pause is in progress or may be sent: the microphone must be silent. */
  readonly sending: boolean
}

export const emptyDigits: DigitQueueState = {
  sent: '',
  waiting: '',
  burst: { sent: 0, total: 0, pauses: 0 },
  refused: 0,
  sending: false,
}
