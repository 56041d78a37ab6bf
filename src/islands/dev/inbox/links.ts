export interface TextPiece {
  readonly text: string
  readonly isLink: boolean
}

/** Splits a text into http(s) URLs and the text between them, without losing anything. */
export function splitLinks(text: string): readonly TextPiece[] {
  const pieces: TextPiece[] = []
  let end = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"']+/g)) {
    const link = match[0].replace(/[.,;:!?)\]]+$/, '')
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isLink: false })
    pieces.push({ text: link, isLink: true })
    end = match.index + link.length
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isLink: false })
  return pieces
}
