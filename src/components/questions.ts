import { type CollectionEntry, getCollection, getEntry } from 'astro:content'
import { currentLanguage, sourceLanguage } from '#lib/i18n/language.ts'
import { faqTexts } from './faq-texts.ts'
import { fillFacts, fillFactsInHtml } from './legal/facts.ts'
import { withIsolatedNumbers, withLocalLinks } from './local-html.ts'

export interface Question {
  /** The file name, which is the anchor on `/faq`. */
  readonly name: string
  readonly question: string
  readonly answer: string
  /** Search terms that occur neither in the question nor in the answer. */
  readonly keywords: readonly string[]
}

export interface QuestionGroup {
  readonly title: string
  /** The group's anchor on `/faq`. */
  readonly name: string
  readonly questions: readonly Question[]
}

type Entry = CollectionEntry<'faq'>

/** The groups in their order on `/faq`, each with its title in the language of the page. */
const groupTitles: Readonly<Record<Entry['data']['group'], () => string>> = {
  Calling: () => faqTexts.calling,
  'Credits and prices': () => faqTexts.credits,
  Account: () => faqTexts.account,
  Sound: () => faqTexts.sound,
}

/** What a question says in the language of the page; the made-up language, which is English to `Intl`, has the English files. */
async function written(entry: Entry): Promise<Entry | CollectionEntry<'translatedFaq'>> {
  const tag = currentLanguage()
  if (new Intl.Locale(tag).language === sourceLanguage) return entry
  const file = `${tag}/faq/${entry.id}`
  const translation = await getEntry('translatedFaq', file)
  if (translation === undefined) throw new Error(`src/languages/${file}.md is missing`)
  return translation
}

async function questionOf(entry: Entry): Promise<Question> {
  const { data, filePath, rendered } = await written(entry)
  if (rendered === undefined) throw new Error(`no answer in ${filePath}`)
  return {
    name: entry.id,
    question: fillFacts(data.question),
    answer: withIsolatedNumbers(withLocalLinks(fillFactsInHtml(rendered.html))),
    keywords: data.keywords,
  }
}

export async function questionGroups(): Promise<readonly QuestionGroup[]> {
  const entries = await getCollection('faq')
  const groups = Object.entries(groupTitles).map(async ([group, title]) => ({
    title: title(),
    name: group.toLowerCase().replaceAll(' ', '-'),
    questions: await Promise.all(
      entries
        .filter(({ data }) => data.group === group)
        .sort((a, b) => a.data.order - b.data.order)
        .map(questionOf),
    ),
  }))
  return Promise.all(groups)
}

export async function questionsOfLanding(): Promise<readonly Question[]> {
  const entries = await getCollection('faq')
  const shown = entries
    .flatMap(entry => (entry.data.landing === undefined ? [] : [{ entry, place: entry.data.landing }]))
    .sort((a, b) => a.place - b.place)
  return Promise.all(shown.map(({ entry }) => questionOf(entry)))
}
