import { atom, type ReadableAtom } from 'nanostores'

/** What the dialler has to say. It stays until dismissed, or overtaken by the next call. */
export interface Notice {
  readonly tone: 'info' | 'warn' | 'bad'
  readonly text: string
  /**
   * What mends it: another number (the notice goes as soon as the number is changed), or the browser's
   * microphone settings.
   */
  readonly remedy?: 'number' | 'microphone'
  /**
   * `connection`: it says that the service cannot be reached, and nothing else on the page need say so again.
   * `top_up`: the saved card was not charged, which a call that goes on says in few words. `payment`: what became of a
   * payment. What is about nothing of it is about the last call.
   */
  readonly about?: 'connection' | 'top_up' | 'payment'
  /** An emergency number, to be dialled on a telephone nearby. */
  readonly phone?: string
}

const $shown = atom<Notice | null>(null)
export const $notice: ReadableAtom<Notice | null> = $shown

/** Shows a notice in place of the last one. */
export function notify(notice: Notice): void {
  $shown.set(notice)
}

export function dismissNotice(): void {
  $shown.set(null)
}

/**
 * Something is to be said about the next number: what the last call said has been read by whoever enters it. What concerns
 * the page stays.
 */
export function dismissReadNotice(): void {
  if ($shown.get()?.about === undefined) $shown.set(null)
}

/** The number was edited: what was wrong with the old one no longer matters. */
export function dismissNumberNotice(): void {
  if ($shown.get()?.remedy === 'number') $shown.set(null)
}
