import { latinDigits } from '#lib/numbers/dialable.ts'

/** Digits sent during a call (SPEC-5.8, PD-30). */

/** Min milliseconds between digits; the voice client drops digits that are closer together. */
export const digitGapMs = 300
/** Milliseconds of a `w`. */
export const digitPauseMs = 500
/** Max queued digits; a pasted excess is dropped. */
export const maxWaitingDigits = 200

/** 0-9, `*`, `#`, and `w` (a pause) only between two of them, so that words do not count. Any script. */
export function sendableDigits(text: string): string {
  const close = latinDigits(text.normalize('NFKC')).replace(/[\s().-]/g, '')
  return (close.match(/[0-9*#](?:w+(?=[0-9*#]))?/g) ?? []).join('')
}

export function typableDigits(text: string): string {
  return sendableDigits(text).replaceAll('w', '')
}

/** The text that one edit inserted: what differs between the common start and end. Empty for a deletion. */
export function insertedText(before: string, after: string): string {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  return after.slice(start, after.length - end)
}
