import type { Digit } from './media/clips.ts'

const codeLength = 6
const maxTries = 3

export interface CodeEntry {
  readonly typed: string
  readonly triesLeft: number
}

export const noEntry: CodeEntry = { typed: '', triesLeft: maxTries }

type EntryStep =
  | { readonly kind: 'more'; readonly entry: CodeEntry }
  | { readonly kind: 'right' }
  | { readonly kind: 'wrong'; readonly entry: CodeEntry }
  | { readonly kind: 'refused' }

/** The last digit decides without a terminator. `*` and `#`, which many press after a number, start over. */
export function keyIn(entry: CodeEntry, digit: Digit, code: string): EntryStep {
  const typed = digit === '*' || digit === '#' ? '' : entry.typed + digit
  if (typed.length < codeLength) return { kind: 'more', entry: { ...entry, typed } }
  if (typed === code) return { kind: 'right' }
  const triesLeft = entry.triesLeft - 1
  return triesLeft === 0 ? { kind: 'refused' } : { kind: 'wrong', entry: { typed: '', triesLeft } }
}

export function newCode(bytes: (length: number) => Uint8Array): string {
  let code = ''
  while (code.length < codeLength) {
    // 250 to 255 would favour some digits.
    for (const byte of bytes(codeLength)) if (byte < 250 && code.length < codeLength) code += byte % 10
  }
  return code
}
