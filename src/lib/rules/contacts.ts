import { cleanName } from './names.ts'

/** How long a contact's name may be, and how contacts are found and put in order. */

/** Characters, as UTF-16 counts them. */
export const maxContactName = 100

interface Named {
  readonly name: string
}

/** Made when it is first needed: the browser reads much for it, and not every page sorts. */
let collator: Intl.Collator | undefined

/** By name as people sort it: case and accents do not matter, 2 comes before 10. */
export function sortByName<Contact extends Named>(contacts: readonly Contact[]): Contact[] {
  collator ??= new Intl.Collator('en', { sensitivity: 'base', numeric: true })
  const { compare } = collator
  return [...contacts].sort((a, b) => compare(a.name, b.name))
}

/** Lower case, without accents and other marks. */
function searchable(text: string): string {
  return cleanName(text)
    .normalize('NFKD')
    .replace(/[\p{M}\p{Cf}'’]/gu, '')
    .toLowerCase()
}

/** Those whose name holds each word of the query, in the order given. An empty query finds everybody. */
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
