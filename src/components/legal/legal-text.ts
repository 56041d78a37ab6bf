import { getCollection, getEntry } from 'astro:content'
import { readingMinutes } from '../blog/reading.ts'
import { fillFacts } from './facts.ts'
import { type Section, sectionsOf } from './sections.ts'

export interface LegalText {
  readonly title: string
  readonly description: string
  readonly lede: string
  readonly changedAt: Date
  readonly sections: readonly Section[]
  /** `Nine short sections, about four minutes to read.` */
  readonly length: string
}

/** @throws Error naming the file when there is none in `src/content/legal`, or it breaks a rule of `sections.ts` */
export async function legalText(name: string): Promise<LegalText> {
  const entry = await getEntry('legal', name)
  const html = entry?.rendered?.html
  if (entry === undefined || html === undefined) throw new Error(`no text in src/content/legal/${name}.md`)
  try {
    const sections = sectionsOf(html)
    return {
      title: entry.data.title,
      description: fillFacts(entry.data.description),
      lede: fillFacts(entry.data.lede),
      changedAt: entry.data.changedAt,
      sections,
      length: lengthOf(sections.length, readingMinutes(html)),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`src/content/legal/${name}.md: ${reason}`, { cause: error })
  }
}

/** The order in which the texts name each other. */
const order = ['terms', 'privacy', 'refunds', 'cookies', 'fair-use', 'complaints', 'emergency-calls']

export async function otherTexts(name: string): Promise<readonly { title: string; href: string }[]> {
  const entries = await getCollection('legal')
  return entries
    .filter(({ id }) => id !== name)
    .sort((a, b) => order.indexOf(a.id) - order.indexOf(b.id))
    .map(({ id, data }) => ({ title: data.title, href: `/${id}` }))
}

const numerals =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'.split(
    ' ',
  )

function countText(count: number): string {
  return numerals[count] ?? String(count)
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function lengthOf(sections: number, minutes: number): string {
  const time = `${countText(minutes)} ${minutes === 1 ? 'minute' : 'minutes'}`
  return `${capitalised(countText(sections))} short sections, about ${time} to read.`
}
