/** Characters of ITU-T T.140 with a meaning of their own. */
export const lineSeparator = '\u2028'
export const eraseLast = '\u0008'
export const lostText = '\uFFFD'

export type TextSide = 'own' | 'theirs'

export interface TextLine {
  readonly side: TextSide
  readonly text: string
  /** Ended by a new line. Of each side, only the last line is open. */
  readonly ended: boolean
}

/** What both sides typed, each line where it was begun. */
export type TypedText = readonly TextLine[]

/** T.140 allows CR LF as a new line. */
const newLines: ReadonlySet<string> = new Set([lineSeparator, '\n', '\u2029', '\u0085'])

/** Controls that this terminal does not know are to be ignored, and so is the mark at the beginning. */
function isIgnored(character: string): boolean {
  return /^[\p{Cc}\uFEFF]$/u.test(character)
}

function shown(character: string): string {
  // Half a character, such as of a pair that was cut in two.
  return /^[\uD800-\uDFFF]$/.test(character) ? lostText : character
}

/** Applies characters (code points) of one side in their order. */
export function applyText(typed: TypedText, side: TextSide, characters: Iterable<string>): TypedText {
  let lines = typed
  for (const character of characters) lines = applyCharacter(lines, side, character)
  return lines
}

function applyCharacter(lines: TypedText, side: TextSide, character: string): TypedText {
  const at = lines.findLastIndex(line => line.side === side)
  const last = lines[at]
  const open = last !== undefined && !last.ended ? last : undefined
  if (character === eraseLast) return last === undefined ? lines : erase(lines, at, last)
  if (newLines.has(character))
    return open === undefined
      ? [...lines, { side, text: '', ended: true }]
      : lines.with(at, { ...open, ended: true })
  if (isIgnored(character)) return lines
  if (open === undefined) return [...lines, { side, text: shown(character), ended: false }]
  return lines.with(at, { ...open, text: open.text + shown(character) })
}

/** A new line counts as one character, which opens its line again. */
function erase(lines: TypedText, at: number, last: TextLine): TypedText {
  const isPair = (last.text.codePointAt(last.text.length - 2) ?? 0) > 0xff_ff
  const text = last.ended ? last.text : last.text.slice(0, isPair ? -2 : -1)
  return text === '' ? lines.toSpliced(at, 1) : lines.with(at, { ...last, text, ended: false })
}

/** The line that a side is typing; empty if none. */
export function openLine(typed: TypedText, side: TextSide): string {
  const last = typed.findLast(line => line.side === side)
  return last === undefined || last.ended ? '' : last.text
}

/** The characters that turn the open line into what its field holds now. */
export function charactersOf(before: string, after: string): readonly string[] {
  const old = [...before]
  const next = [...after.replaceAll(/\r\n?|[\n\u2029\u0085]/g, lineSeparator)].flatMap(character =>
    isIgnored(character) ? (character === '\t' ? [' '] : []) : [shown(character)],
  )
  let same = 0
  while (same < old.length && old[same] === next[same]) same += 1
  return [...old.slice(same).map(() => eraseLast), ...next.slice(same)]
}
