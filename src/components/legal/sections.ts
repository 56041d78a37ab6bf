import { fillFactsInHtml } from './facts.ts'

/** How each open point begins; in the text it is a quotation (`> To be confirmed …`). */
export const openPointMark = 'To be confirmed by counsel before publication:'

export interface Block {
  /** An open point is for counsel or the owner, and shown as a note. */
  readonly kind: 'text' | 'open-point'
  readonly html: string
}

export interface Section {
  readonly id: string
  readonly title: string
  readonly blocks: readonly Block[]
}

const heading = /<h2 id="([^"]+)">(.*?)<\/h2>/g
const quotation = /<blockquote>\s*<p>(.*?)<\/p>\s*<\/blockquote>/gs

/** Cuts a text at each `h2`. @throws Error on something before the first, or a quotation that is no open point */
export function sectionsOf(html: string): readonly Section[] {
  const filled = fillFactsInHtml(html)
  const [before = '', ...parts] = filled.split(heading)
  if (before.trim() !== '') throw new Error('a legal text begins with a second-level heading')
  const sections: Section[] = []
  for (let at = 0; at < parts.length; at += 3) {
    const [id = '', title = '', body = ''] = parts.slice(at, at + 3)
    sections.push({ id, title, blocks: blocksOf(body) })
  }
  return sections
}

/** Text and quotations by turns: `split` gives what the pattern caught at the odd places. */
function blocksOf(html: string): readonly Block[] {
  return html
    .split(quotation)
    .map((part, index): Block => {
      if (index % 2 === 0) return { kind: 'text', html: part.trim() }
      if (!part.startsWith(openPointMark)) throw new Error(`a quotation begins with “${openPointMark}”`)
      return { kind: 'open-point', html: part.slice(openPointMark.length).trim() }
    })
    .filter(block => block.html !== '')
}
