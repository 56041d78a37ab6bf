import { atom, type ReadableAtom } from 'nanostores'

/** A message in the dialler; stays until it is dismissed or the next call begins. */
export interface Notice {
  readonly tone: 'info' | 'warn' | 'bad'
  readonly text: string
  /** `number`: any change of the number dismisses the notice. `microphone`: the browser's settings. `credits`: a top-up. */
  readonly remedy?: 'number' | 'microphone' | 'credits'
  /**
   * `connection`: the service cannot be reached; nothing else on the page should repeat it. `top_up`: the
   * saved card was not charged; a live call shows this in short. `payment`: the outcome of a payment.
   * `installed_app`: what calls in it lack. Without it, the notice is about the last call.
   */
  readonly about?: 'connection' | 'top_up' | 'payment' | 'installed_app'
  /** The receipt shows the same, so only screen readers get this text. */
  readonly inReceipt?: boolean
}

const $shown = atom<Notice | null>(null)
export const $notice: ReadableAtom<Notice | null> = $shown

export function notify(notice: Notice): void {
  $shown.set(notice)
}

export function dismissNotice(): void {
  $shown.set(null)
}

/** Dismisses why a call was refused: with more credits the reason may no longer hold. */
export function dismissRejection(): void {
  const notice = $shown.get()
  if (notice?.tone === 'bad' && notice.about === undefined) $shown.set(null)
}

/** Dismisses what was said about the number before; what keeps the microphone from working stays. */
export function dismissNumberNotice(): void {
  if ($shown.get()?.remedy !== 'microphone') dismissReadNotice()
}

/** Dismisses a notice about the last call or number: whoever enters the next number has read it. */
export function dismissReadNotice(): void {
  if ($shown.get()?.about === undefined) $shown.set(null)
}
