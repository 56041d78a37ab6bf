import { getEntry } from 'astro:content'
import { currentLanguage, renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { localPath } from '#lib/i18n/path.ts'
import { readingMinutes } from '../blog/reading.ts'
import { withLocalLinks } from '../local-html.ts'
import { fillFacts } from './facts.ts'
import { type Section, sectionsOf } from './sections.ts'
import { legalTexts, legalTitles } from './texts.ts'

export type LegalName = keyof typeof legalTitles

/** A text, which is English on pages of every language, and what the page says about it in its own. */
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
export async function legalText(name: LegalName): Promise<LegalText> {
  const entry = await getEntry('legal', name)
  const html = entry?.rendered?.html
  if (entry === undefined || html === undefined) throw new Error(`no text in src/content/legal/${name}.md`)
  try {
    const english = readInEnglish(() => ({
      description: fillFacts(entry.data.description),
      lede: fillFacts(entry.data.lede),
      sections: sectionsOf(html),
    }))
    const sections = english.sections.map(section => ({ ...section, html: withLocalLinks(section.html) }))
    return {
      ...english,
      title: legalTitles[name],
      changedAt: entry.data.changedAt,
      sections,
      length: legalTexts.length({ sections: sections.length, minutes: readingMinutes(html) }),
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`src/content/legal/${name}.md: ${reason}`, { cause: error })
  }
}

/** Facts are in the language of their text. */
function readInEnglish<Result>(read: () => Result): Result {
  const language = currentLanguage()
  renderIn(sourceLanguage)
  try {
    return read()
  } finally {
    renderIn(language)
  }
}

/** In the order in which the texts name each other. */
const names = Object.keys(legalTitles) as LegalName[]

export function otherTexts(name: LegalName): readonly { readonly title: string; readonly href: string }[] {
  return names
    .filter(other => other !== name)
    .map(other => ({ title: legalTitles[other], href: localPath(`/${other}`) }))
}
