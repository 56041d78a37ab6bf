/** What the number field keeps of a text: digits and a plus (SPEC-5.7). */

/** Min characters, plus included, for a rate lookup (SPEC-5.9). */
export const shortestLookup = 4

/** Digits of any script as ASCII: those from 0 to 9 follow one another in Unicode. */
export function latinDigits(text: string): string {
  return text.replace(/(?!\d)\p{Nd}/gu, digit => {
    const code = digit.codePointAt(0) as number
    let before = code - 1
    while (/\p{Nd}/u.test(String.fromCodePoint(before))) before -= 1
    return String((code - before - 1) % 10)
  })
}

/** Digits of any script as ASCII, with a plus only in front of them. Drops everything else. */
export function keepDialable(text: string): string {
  return latinDigits(text)
    .replace(/[＋﹢⁺]/g, '+')
    .replace(/[^\d+]/g, '')
    .replace(/(?!^)\+/g, '')
}

export function isLongEnoughForRate(typed: string): boolean {
  return keepDialable(typed).length >= shortestLookup
}
