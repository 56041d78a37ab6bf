/** What the name of a person may hold, whoever gave it: a contact's, or somebody's own. */

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
 * A name as it is kept: trimmed, on one line, blanks as one space each, each letter in its composed form. Joiners stay,
 * since emoji and several scripts are written with them. Empty where nothing of the name could be seen.
 */
export function cleanName(text: string): string {
  const name = text
    .toWellFormed()
    .replace(breaks, ' ')
    .replace(directionMarks, '')
    .replace(invisible, '')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
  return visible.test(name) ? name : ''
}
