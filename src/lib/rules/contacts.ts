/** What a contact's name may be, and how contacts are found and put in order. */

/** Characters, as UTF-16 counts them. */
export const maxContactName = 100

/**
 * Marks that turn the direction of text around. The pages keep each name to itself (`<bdi>`), so a name needs
 * none, and one left open would turn what stands beside it.
 */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g
/** Signs without a width that mean nothing in a name: zero-width space, word joiners, byte order mark, soft hyphen. */
const invisible = /[\u00ad\u200b\u2060-\u2064\ufeff]/g
/** Control characters and the ends of lines and paragraphs: a name is one line. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/gu
/** Something that can be seen: not a space, not a joiner or a mark alone. */
const visible = /[^\p{Z}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/**
 * A name as it is kept: trimmed, on one line, each letter in its composed form. Joiners stay, since emoji
 * and several scripts are written with them. Empty where nothing of the name could be seen.
 */
export function cleanContactName(text: string): string {
  const name = text
    .toWellFormed()
    .replace(breaks, ' ')
    .replace(directionMarks, '')
    .replace(invisible, '')
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .trim()
  return visible.test(name) ? name : ''
}

interface Named {
  readonly name: string
}

const collator = new Intl.Collator('en', { sensitivity: 'base', numeric: true })

/** By name as people sort it: case and accents do not matter, 2 comes before 10. */
export function sortByName<Contact extends Named>(contacts: readonly Contact[]): Contact[] {
  return [...contacts].sort((a, b) => collator.compare(a.name, b.name))
}

/** Lower case, without accents and other marks. */
function searchable(text: string): string {
  return cleanContactName(text)
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
