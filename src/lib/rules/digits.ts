import { digitOf } from './dialable.ts'

/** Digits sent during a call (specification section 5; decision 30). */

/** Milliseconds between two digits. Closer together the voice client drops some. */
export const digitGapMs = 300
/** Milliseconds that a `w` waits. */
export const digitPauseMs = 500
/** Digits that wait at one time; what is pasted beyond is not taken. */
export const maxWaitingDigits = 200

/**
 * What may be sent, out of any text: 0-9, `*`, `#`, and between two of them `w` for a pause, so that no
 * word counts as one. Full-width forms count, and the digits of other scripts.
 */
export function sendableDigits(text: string): string {
  const close = text
    .normalize('NFKC')
    .replace(/\p{Nd}/gu, digit => String(digitOf(digit.charCodeAt(0)) ?? ''))
    .replace(/[\s().-]/g, '')
  return (close.match(/[0-9*#](?:w+(?=[0-9*#]))?/g) ?? []).join('')
}

/** What the field takes during a call: 0-9, `*` and `#`. */
export function typableDigits(text: string): string {
  return sendableDigits(text).replaceAll('w', '')
}

/**
 * What was put into a field, given its value before and after: one edit changes one stretch, so it is
 * what stands between the common start and the common end. Empty when something was only deleted.
 */
export function insertedText(before: string, after: string): string {
  const shortest = Math.min(before.length, after.length)
  let start = 0
  while (start < shortest && before[start] === after[start]) start += 1
  let end = 0
  while (end < shortest - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  return after.slice(start, after.length - end)
}
