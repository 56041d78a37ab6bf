import type { SupportTopic } from '#lib/rules/support.ts'
import type { Question, QuestionGroup } from './questions.ts'

/** What most people want who choose a topic on the support page, by the names of the questions' files. */
const namesOfTopic: Readonly<Record<SupportTopic, readonly string[]>> = {
  call: ['number-fails', 'unanswered', 'cannot-hear-me'],
  payment: ['rounding', 'auto-top-up', 'refund'],
  own_number: ['caller-id', 'own-number'],
  restricted: ['restricted'],
  referral: ['referrals'],
  other: [],
}

/** The four on the page itself, in the words of somebody who has the trouble. */
const troubles = [
  ['My call did not connect', 'number-fails'],
  ['I was charged for a busy line', 'unanswered'],
  ['They cannot hear me', 'cannot-hear-me'],
  ['My verification e-mail is missing', 'verification-email'],
] as const

export interface Trouble {
  readonly words: string
  readonly href: string
}

/** @throws Error when a question that is named here is gone: the build stops instead of linking to nothing. */
function checked(name: string, questions: readonly Question[]): string {
  if (!questions.some(question => question.name === name)) {
    throw new Error(`support-answers.ts names a question that is not there: ${name}`)
  }
  return name
}

/** Every question, with the topics that it answers before a word is written. */
export function supportAnswers(groups: readonly QuestionGroup[]) {
  const questions = groups.flatMap(group => group.questions)
  const topics = Object.entries(namesOfTopic) as [SupportTopic, readonly string[]][]
  for (const [, names] of topics) for (const name of names) checked(name, questions)
  return questions.map(({ name, question, answer, keywords }) => ({
    name,
    question,
    answer,
    keywords,
    topics: topics.flatMap(([topic, names]) => (names.includes(name) ? [topic] : [])),
  }))
}

export function quickerAnswers(groups: readonly QuestionGroup[]): readonly Trouble[] {
  const questions = groups.flatMap(group => group.questions)
  return troubles.map(([words, name]) => ({ words, href: `/faq#${checked(name, questions)}` }))
}
