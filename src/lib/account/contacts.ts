import { cleanName } from './names.ts'

/** UTF-16 code units. */
export const maxContactName = 100
/** UTF-16 code units. */
export const maxContactNotes = 500

interface Named {
  readonly name: string
}

/** Created lazily: it is costly, and not every page sorts. */
let collator: Intl.Collator | undefined

/** Ignores case and accents; 2 sorts before 10. */
export function sortByName<Contact extends Named>(contacts: readonly Contact[]): Contact[] {
  collator ??= new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const { compare } = collator
  return [...contacts].sort((a, b) => compare(a.name, b.name))
}

function searchable(text: string): string {
  return cleanName(text)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’]/gu, '')
    .toLowerCase()
}

/** Contacts whose name contains each word of the query, in the given order. An empty query matches all. */
export function searchContacts<Contact extends Named>(
  contacts: readonly Contact[],
  query: string,
): readonly Contact[] {
  const words = searchable(query).split(' ')
  return contacts.filter(({ name }) => {
    const within = searchable(name)
    return words.every(word => within.includes(word))
  })
}
