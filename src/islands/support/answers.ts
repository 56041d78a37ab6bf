// @vocabulary words: they are words of a language.
import { folded } from '#lib/i18n/folded.ts'
import { currentLanguage } from '#lib/i18n/language.ts'
import { memoised } from '#lib/memoised.ts'
import type { SupportTopic } from '#lib/support.ts'
import { answerSearch } from './texts.ts'

export interface ReadyAnswer {
  readonly question: string
  readonly keywords: readonly string[]
  readonly topics: readonly SupportTopic[]
}

export interface Asked {
  readonly topic: SupportTopic | null
  readonly message: string
}

const maxAnswers = 3
/** Min score relative to the best answer; worse ones distract. */
const comparable = 0.75

/**
 * Best first, max three. Words in fewer questions weigh more; answers suggested only by the topic come last.
 * @param answers in the order that breaks ties
 */
export function likelyAnswers<Answer extends ReadyAnswer>(
  answers: readonly Answer[],
  { topic, message }: Asked,
): readonly Answer[] {
  const ignored = new Set(stems(answerSearch.ignored))
  const keywordsIn = (text: string) => new Set(stems(text).filter(word => !ignored.has(word)))
  const keywordsByAnswer = answers.map(({ question, keywords }) =>
    keywordsIn([question, ...keywords].join(' ')),
  )
  const asked = keywordsIn(message)
  const worth = (word: string) => {
    const having = keywordsByAnswer.filter(words => words.has(word)).length
    return having === 0 ? 0 : Math.log(1 + answers.length / having)
  }
  const worths = new Map([...asked].map(word => [word, worth(word)]))
  /** Min score: one word that a tenth of the questions have. Less is a coincidence. */
  const enough = Math.log(1 + 10)

  const shared = keywordsByAnswer.map(words => sum([...words].map(word => worths.get(word) ?? 0)))
  const minScore = Math.max(enough, Math.max(...shared) * comparable)
  return answers
    .map((answer, index) => {
      const said = shared[index] ?? 0
      const suggested = topic !== null && answer.topics.includes(topic) ? 1 : 0
      return { answer, score: (said < minScore ? 0 : said) + suggested }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, maxAnswers)
    .map(({ answer }) => answer)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Words of a text, folded, without common beginnings and endings: `Charged` becomes `charg`. */
function stems(text: string): readonly string[] {
  const beginning = new RegExp(`^(?:${folded(answerSearch.wordBeginnings)})(?=.{3})`)
  const ending = new RegExp(`(?<=.{3})(?:${folded(answerSearch.wordEndings)})$`)
  return wordsOf(folded(text)).map(word => word.replace(beginning, '').replace(ending, ''))
}

const segmenterIn = memoised(language => new Intl.Segmenter(language, { granularity: 'word' }))

/** Chinese has no spaces between words. Old versions of Firefox find none there. */
function wordsOf(text: string): readonly string[] {
  const words = text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  if (!('Segmenter' in Intl)) return words
  const segmenter = segmenterIn(currentLanguage())
  return words.flatMap(word =>
    han.test(word) ? [...segmenter.segment(word)].map(({ segment }) => segment) : [word],
  )
}

const han = /\p{sc=Han}/u
