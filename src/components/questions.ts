import { type CollectionEntry, getCollection } from 'astro:content'
import { fillFacts, fillFactsInHtml } from './legal/facts.ts'

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

/** The order of groups on `/faq`. */
const titles: readonly Entry['data']['group'][] = ['Calling', 'Credits and prices', 'Account', 'Sound']

function questionOf(entry: Entry): Question {
  const html = entry.rendered?.html
  if (html === undefined) throw new Error(`no answer in src/content/faq/${entry.id}.md`)
  const { question, keywords } = entry.data
  return { name: entry.id, question: fillFacts(question), answer: fillFactsInHtml(html), keywords }
}

export async function questionGroups(): Promise<readonly QuestionGroup[]> {
  const entries = await getCollection('faq')
  return titles.map(title => ({
    title,
    name: title.toLowerCase().replaceAll(' ', '-'),
    questions: entries
      .filter(({ data }) => data.group === title)
      .sort((a, b) => a.data.order - b.data.order)
      .map(questionOf),
  }))
}

export async function questionsOfLanding(): Promise<readonly Question[]> {
  const entries = await getCollection('faq')
  return entries
    .flatMap(entry => (entry.data.landing === undefined ? [] : [{ entry, place: entry.data.landing }]))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => questionOf(entry))
}
