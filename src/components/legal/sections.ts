import { fillFactsInHtml } from './facts.ts'

/** How a comment begins that notes what counsel or the owner has still to decide. Readers never get comments. */
export const openPointMark = 'To be confirmed by counsel before publication:'

export interface Section {
  readonly id: string
  readonly title: string
  readonly html: string
}

const heading = /<h2 id="([^"]+)">(.*?)<\/h2>/g
const comment = /<!--.*?-->/gs

/** Cuts a text at each `h2`, without its comments. @throws Error on something before the first */
export function sectionsOf(html: string): readonly Section[] {
  const filled = fillFactsInHtml(html.replace(comment, ''))
  const [before = '', ...parts] = filled.split(heading)
  if (before.trim() !== '') throw new Error('a legal text begins with a second-level heading')
  const sections: Section[] = []
  for (let at = 0; at < parts.length; at += 3) {
    const [id = '', title = '', body = ''] = parts.slice(at, at + 3)
    sections.push({ id, title, html: body.trim() })
  }
  return sections
}
