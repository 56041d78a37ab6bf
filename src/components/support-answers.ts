import { support } from '#islands/support/texts.ts'
import { localPath } from '#lib/i18n/path.ts'
import type { SupportTopic } from '#lib/support.ts'
import type { Question, QuestionGroup } from './questions.ts'

/** Suggested questions per support topic, by file name. */
const namesOfTopic: Readonly<Record<SupportTopic, readonly string[]>> = {
  call: ['number-fails', 'unanswered', 'cannot-hear-me'],
  payment: ['rounding', 'auto-top-up', 'refund'],
  own_number: ['caller-id', 'own-number'],
  restricted: ['restricted'],
  referral: ['referrals'],
  other: [],
}

/** Four common problems, worded as a user would put them. */
const troubles = () =>
  [
    [support.notConnected, 'number-fails'],
    [support.busyLine, 'unanswered'],
    [support.notHeard, 'cannot-hear-me'],
    [support.noMail, 'verification-email'],
  ] as const

export interface Trouble {
  readonly label: string
  readonly href: string
}

/** @throws Error when a named question does not exist, so that the build fails instead of linking to nothing */
function checked(name: string, questions: readonly Question[]): string {
  if (!questions.some(question => question.name === name)) {
    throw new Error(`support-answers.ts names a question that is not there: ${name}`)
  }
  return name
}

/** All questions, with the topics for which they are suggested before anything is typed. */
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
  return troubles().map(([label, name]) => ({ label, href: localPath(`/faq#${checked(name, questions)}`) }))
}
