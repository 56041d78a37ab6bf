/** Pages isolate each name (`<bdi>`), so names need no direction marks; an open one would reverse adjacent text. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/g
/** Zero-width characters without meaning in a name: zero-width space, word joiners, byte order mark, soft hyphen. */
const invisible = /[\u00ad\u200b\u2060-\u2064\ufeff]/g
/** Control characters and line breaks: a name is one line. */
const breaks = /[\p{Cc}\p{Zl}\p{Zp}]/gu
/** Control characters that a text of several lines has no use for. */
const controls = /[^\P{Cc}\n\t]/gu
/** At least one visible character: not only spaces, joiners or marks. */
const visible = /[^\p{Z}\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/u

/** One line, single spaces, NFC. Joiners stay, as emoji and scripts need them. Empty if nothing is visible. */
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

/** Plain text of several lines, NFC, trimmed; without marks that turn the direction of the text. */
export function cleanNotes(text: string): string {
  const notes = text
    .toWellFormed()
    .replace(/\r\n?|[\p{Zl}\p{Zp}]/gu, '\n')
    .replace(controls, '')
    .replace(directionMarks, '')
    .normalize('NFC')
    .trim()
  return visible.test(notes) ? notes : ''
}
