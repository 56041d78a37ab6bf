import type { Digit } from './media/clips.ts'

/** Digits of a code. */
const codeLength = 6
/** How often somebody may key in a code in one call. */
const mostTries = 3

/** What has been keyed in so far, in a call that asks for a code. */
export interface CodeEntry {
  readonly typed: string
  readonly triesLeft: number
}

export const noEntry: CodeEntry = { typed: '', triesLeft: mostTries }

type EntryStep =
  | { readonly kind: 'more'; readonly entry: CodeEntry }
  | { readonly kind: 'right' }
  /** Wrong, and to be tried again. */
  | { readonly kind: 'wrong'; readonly entry: CodeEntry }
  | { readonly kind: 'refused' }

/**
 * A key was pressed. The last digit of a code decides by itself; `*` begins anew, and so does `#`, which
 * many press out of habit after a number.
 */
export function keyIn(entry: CodeEntry, digit: Digit, code: string): EntryStep {
  const typed = digit === '*' || digit === '#' ? '' : entry.typed + digit
  if (typed.length < codeLength) return { kind: 'more', entry: { ...entry, typed } }
  if (typed === code) return { kind: 'right' }
  const triesLeft = entry.triesLeft - 1
  return triesLeft === 0 ? { kind: 'refused' } : { kind: 'wrong', entry: { typed: '', triesLeft } }
}

/** A code of digits, each as likely as any other. */
export function newCode(bytes: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < codeLength) {
    // 250 to 255 would make some digits likelier than others.
    for (const byte of bytes(codeLength)) if (byte < 250 && code.length < codeLength) code += byte % 10
  }
  return code
}
