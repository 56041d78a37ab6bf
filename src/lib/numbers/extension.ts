/** Sent after the answer: digits, `*`, `#`, and a comma for a pause of 2 s (`+442079460958,,123#`). */

export const maxExtension = 40

export const extensionShape: RegExp = /^[0-9*#,]{0,40}$/

export const extensionPauseMs = 2000

/** `;`, `p` and `w` count as pauses too: phones prompt at `;` and `w`, but here the user has the keypad. */
export function keepExtension(text: string): string {
  const kept = text
    .replace(/[;pw]/gi, ',')
    .replace(/[^0-9*#,]/g, '')
    .slice(0, maxExtension)
  return /[0-9*#]/.test(kept) ? kept.replace(/,+$/, '') : ''
}
