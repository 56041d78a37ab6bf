/** What the number field keeps of a text (specification section 5): digits and a plus. */

/** A number shorter than this, plus included, gets no rate lookup (specification section 5). */
export const shortestLookup = 4

/** The digit zero of the scripts that phone keyboards offer; the other nine follow it in Unicode. */
const zeros = [
  '0',
  '０', // full-width
  '٠', // Arabic
  '۰', // Persian and Urdu
  '०', // Devanagari
  '০', // Bengali
  '੦', // Gurmukhi
  '૦', // Gujarati
  '୦', // Oriya
  '௦', // Tamil
  '౦', // Telugu
  '೦', // Kannada
  '൦', // Malayalam
  '๐', // Thai
  '໐', // Lao
  '༠', // Tibetan
  '၀', // Myanmar
  '០', // Khmer
  '᠐', // Mongolian
].map(zero => zero.charCodeAt(0))

/** Full-width, small and superscript forms count: they are what some keyboards and pages write. */
const pluses = '+＋﹢⁺'

/**
 * Digits of any script as ASCII, with a plus when one stands before all of them. Everything else goes:
 * spaces, dots, brackets, letters, invisible marks, a plus further on.
 */
export function keepDialable(text: string): string {
  let kept = ''
  for (let position = 0; position < text.length; position += 1) {
    const digit = digitOf(text.charCodeAt(position))
    if (digit !== undefined) kept += digit
    else if (kept === '' && pluses.includes(text.charAt(position))) kept = '+'
  }
  return kept
}

/** What a character is worth as a digit, by its UTF-16 code; undefined where it is none. */
export function digitOf(code: number): number | undefined {
  const zero = zeros.find(candidate => code >= candidate && code <= candidate + 9)
  return zero === undefined ? undefined : code - zero
}

/** Whether what is typed is long enough to ask for its rate. */
export function isLongEnoughForRate(typed: string): boolean {
  return keepDialable(typed).length >= shortestLookup
}
