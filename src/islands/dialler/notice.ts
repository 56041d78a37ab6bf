import { atom, type ReadableAtom } from 'nanostores'

/** A message in the dialler; stays until it is dismissed or the next call begins. */
export interface Notice {
  readonly tone: 'info' | 'warn' | 'bad'
  readonly text: string
  /** `number`: any change of the number dismisses the notice. `microphone`: the browser's settings. */
  readonly remedy?: 'number' | 'microphone'
  /**
   * `connection`: the service cannot be reached; nothing else on the page should repeat it. `top_up`: the
   * saved card was not charged; a live call shows this in short. `payment`: the outcome of a payment. Without
   * it, the notice is about the last call.
   */
  readonly about?: 'connection' | 'top_up' | 'payment'
  /** An emergency number, to be dialled on another phone. */
  readonly phone?: string
}

const $shown = atom<Notice | null>(null)
export const $notice: ReadableAtom<Notice | null> = $shown

export function notify(notice: Notice): void {
  $shown.set(notice)
}

export function dismissNotice(): void {
  $shown.set(null)
}

/** Dismisses a notice about the last call: whoever enters the next number has read it. */
export function dismissReadNotice(): void {
  if ($shown.get()?.about === undefined) $shown.set(null)
}

export function dismissNumberNotice(): void {
  if ($shown.get()?.remedy === 'number') $shown.set(null)
}
