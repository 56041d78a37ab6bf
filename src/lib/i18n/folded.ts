/** Letters with a twin for which people write them. */
const letters = 'łىیکةہ'
const twins = 'lييكهه'

/**
 * A text as searches compare it: lower case, without accents, the vowel marks of Arabic, nuktas and apostrophes. Vowel signs of
 * Devanagari and Bengali stay: they tell words apart. Kept small: pages inline it.
 */
export function folded(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{sc=Zinh}\p{Lm}'’\u093c\u09bcłىیکةہ]/gu, letter => twins[letters.indexOf(letter)] ?? '')
}
