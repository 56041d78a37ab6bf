/**
 * What is played to whoever answers: digits, `*` and `#`, and a comma for each pause of 2 s, as telephones keep them
 * behind a saved number (`+442079460958,,123#`).
 */

/** Signs; more than any menu asks for, and few enough to stand beside a number. */
export const maxExtension = 40

/** An extension as it is kept; empty for none. */
export const extensionShape: RegExp = /^[0-9*#,]{0,40}$/

/** Milliseconds of a comma. */
export const extensionPauseMs = 2000

/**
 * An extension out of what somebody wrote. `;`, `p` and `w` count as a pause too: telephones ask before they go on at
 * `;` and `w`, and there is nobody to ask here but the caller, who has the keypad. Without anything to press it is none.
 */
export function keepExtension(text: string): string {
  const kept = text
    .replace(/[;pw]/gi, ',')
    .replace(/[^0-9*#,]/g, '')
    .slice(0, maxExtension)
  return /[0-9*#]/.test(kept) ? kept.replace(/,+$/, '') : ''
}
