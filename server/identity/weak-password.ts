// @vocabulary words: they are words of a language.
import { minPasswordLength } from '#lib/account/account.ts'
import { company } from '#lib/company.ts'
import { isCommonPassword } from './common-passwords.ts'
import { identity } from './identity-texts.ts'
import { sequenceFreeLength } from './sequences.ts'

/** Min letters besides a name, and min distinct characters besides a sequence, that add anything to guess. */
const minRemaining = 4
const minDistinct = 5
/** Max padding around a short word that is still a habit: digits and signs of a date. */
const longestPadding = 12

/** People forced to change a password pick these with a year or a number. */
const calendarTerms = new Set(
  (
    'spring summer autumn fall winter january february march april may june july august september october november ' +
    'december monday tuesday wednesday thursday friday saturday sunday'
  ).split(' '),
)

const lookAlikes: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't' },
  ...{ '@': 'a', $: 's', '!': 'i' },
}

/**
 * Compares as typed, without Unicode normalisation, so that a password that was set can always be typed again.
 * @param email in any case
 * @returns why the password is rejected; undefined if it is allowed
 */
export function weakPasswordMessage(password: string, email: string): string | undefined {
  return isGuessable(password.trim().toLowerCase(), email.trim().toLowerCase())
    ? identity.guessable
    : undefined
}

function isGuessable(password: string, email: string): boolean {
  const core = withoutPadding(password)
  const words = [core, spelledOut(core)]
  return (
    isCommonPassword(password) ||
    words.some(word => isPaddedWord(word, password) || calendarTerms.has(word)) ||
    new Set(password).size < minDistinct ||
    sequenceFreeLength(password) < minRemaining ||
    isRepetition(password) ||
    [company.name.toLowerCase(), email, email.slice(0, email.lastIndexOf('@'))].some(name =>
      [password, ...words].some(text => isMostly(text, name)),
    )
  )
}

function isPaddedWord(word: string, password: string): boolean {
  const isShort = word.length < minPasswordLength
  return isCommonPassword(word) && !(isShort && password.length - word.length > longestPadding)
}

/** The word without padding: `summer` of `Summer2026!`. */
function withoutPadding(password: string): string {
  return password.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
}

function spelledOut(word: string): string {
  return [...word].map(character => lookAlikes[character] ?? character).join('')
}

/** Whether the text repeats a beginning that is too short to be a password itself. */
function isRepetition(text: string): boolean {
  // The last repetition may be cut off, as in `horse horse`; 40% of random characters never match.
  for (let length = 1; length < minPasswordLength && length <= text.length * 0.6; length += 1)
    if (text.slice(length) === text.slice(0, -length)) return true
  return false
}

/** Whether the text is a name with hardly any other letters, ignoring digits and signs. */
function isMostly(text: string, name: string): boolean {
  const [letters, wanted] = [text, name].map(some => some.replace(/[^\p{L}\p{N}]/gu, '')) as [string, string]
  if (wanted.length < 3 || !letters.includes(wanted)) return false
  return letters.replaceAll(wanted, '').replace(/\P{L}/gu, '').length < minRemaining
}
