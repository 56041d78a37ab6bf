/** What the number field keeps of a text: digits and a plus (SPEC-5.7). */

/** Min characters, plus included, for a rate lookup (SPEC-5.9). */
export const shortestLookup = 4

/** The zero of each script on phone keyboards; digits 1-9 follow it in Unicode. */
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

/** Includes full-width, small and superscript forms. */
const pluses = '+＋﹢⁺'

/** Digits of any script as ASCII, with a plus only in front of them. Drops everything else. */
export function keepDialable(text: string): string {
  let kept = ''
  for (let position = 0; position < text.length; position += 1) {
    const digit = digitOf(text.charCodeAt(position))
    if (digit !== undefined) kept += digit
    else if (kept === '' && pluses.includes(text.charAt(position))) kept = '+'
  }
  return kept
}

export function digitOf(code: number): number | undefined {
  const zero = zeros.find(candidate => code >= candidate && code <= candidate + 9)
  return zero === undefined ? undefined : code - zero
}

export function isLongEnoughForRate(typed: string): boolean {
  return keepDialable(typed).length >= shortestLookup
}
