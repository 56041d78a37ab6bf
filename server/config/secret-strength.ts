/** Below this, a secret can be found by brute force from one token that it signed. 32 random digits have 106 bits. */
const minBits = 96
/** Among 32 random hexadecimal digits, fewer distinct ones occur once in 10 million times. */
const minDistinct = 8
/** Share of steps between neighbouring characters; random hexadecimal digits have about 0.2. */
const maxSequentialShare = 0.6

/** Words of examples and manuals. No hexadecimal secret contains one. */
const placeholder = /change|secret|passw|example|placeholder|replace|default|insert|qwerty|farline|<.*>/i
/** Five words or more. */
const phrase = /^\p{Lu}?\p{Ll}+([\s._-]+\p{Lu}?\p{Ll}+){4,}\W*$/u

/** Why a secret is too easy to guess, if it shows. A heuristic: random secrets always pass, and some invented ones may. */
export function weaknessOf(secret: string): string | undefined {
  if (placeholder.test(secret)) return 'is a placeholder or holds a word of one'
  if (phrase.test(secret)) return 'is a phrase'
  const characters = [...secret]
  const distinct = new Set(characters).size
  if (distinct < minDistinct) return `has only ${distinct} different characters`
  if (sequentialShare(characters) > maxSequentialShare) return 'is a sequence'
  const effective = periodOf(secret)
  if (effective * Math.log2(distinct) >= minBits) return undefined
  return effective < secret.length ? 'repeats itself' : 'is too short'
}

/** Share of steps to the same or a neighbouring character, as in `aaaa`, `abcd` and `4321`. */
function sequentialShare(characters: readonly string[]): number {
  const codes = characters.map(character => character.codePointAt(0) ?? 0)
  const steps = codes.slice(1).filter((code, index) => Math.abs(code - (codes[index] ?? 0)) <= 1)
  return steps.length / Math.max(1, codes.length - 1)
}

/** Length of the shortest prefix whose repetition gives the text, possibly cut off; the text's own length if there is none. */
function periodOf(text: string): number {
  for (let period = 1; period <= text.length / 2; period += 1)
    if (text.slice(period) === text.slice(0, -period)) return period
  return text.length
}
