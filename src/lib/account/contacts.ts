// @vocabulary words: they are words of a language.
import { folded } from '../i18n/folded.ts'
import { currentLanguage } from '../i18n/language.ts'
import { memoised } from '../memoised.ts'
import { keepDialable } from '../numbers/dialable.ts'
import { cleanName } from './names.ts'

/** UTF-16 code units. */
export const maxContactName = 100
/** UTF-16 code units. */
export const maxContactNotes = 500

interface Named {
  readonly name: string
}

interface Numbered extends Named {
  /** E.164 with the plus. */
  readonly phone_number: string
}

const orderIn = memoised(language => new Intl.Collator(language, { sensitivity: 'base', numeric: true }))

/** In the order of the page's language. Ignores case and accents; 2 sorts before 10. */
export function sortByName<Contact extends Named>(contacts: readonly Contact[]): Contact[] {
  const { compare } = orderIn(currentLanguage())
  return [...contacts].sort((a, b) => compare(a.name, b.name))
}

function searchable(text: string): string {
  return folded(cleanName(text)).replace(/\p{Cf}/gu, '')
}

/** Of a number in any writing: no letters, at least one digit. */
export function isNumberQuery(query: string): boolean {
  return !/\p{L}/u.test(query) && keepDialable(query) !== ''
}

/** Without the zeros that lead abroad or to an area, which E.164 lacks: `+44 (0)7700`, `0044`, `020`. */
function digitsOf(query: string): string {
  return keepDialable(query.replace(/\(\s*0\s*\)/g, '')).replace(/^\+|^0+/, '')
}

/**
 * Contacts whose name contains each word of the query, or whose number contains its digits, in the given order. An
 * empty query matches all.
 */
export function searchContacts<Contact extends Numbered>(
  contacts: readonly Contact[],
  query: string,
): readonly Contact[] {
  const digits = isNumberQuery(query) ? digitsOf(query) : ''
  const words = searchable(query).split(' ')
  return contacts.filter(({ name, phone_number }) => {
    if (digits !== '' && phone_number.includes(digits)) return true
    const within = searchable(name)
    return words.every(word => within.includes(word))
  })
}
