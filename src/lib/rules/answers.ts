import type { SupportTopic } from './support.ts'

/** A question with a ready answer, as a message to support may turn out to ask it. */
export interface ReadyAnswer {
  readonly question: string
  /** Words and phrases people use that the question does not. */
  readonly keywords: readonly string[]
  /** Topics to which it is the likely answer before anything is written. */
  readonly topics: readonly SupportTopic[]
}

export interface Asked {
  readonly topic: SupportTopic | null
  readonly message: string
}

const mostAnswers = 3
/** An answer that fits much worse than the best one only distracts from it. */
const comparable = 0.75

/** Words that say nothing of what a message is about, stemmed like all others. */
const emptyWords = new Set(
  stems(
    `a about after all also am an and any anything are as at be because been before but by can cannot cant could dear did do
     does don dont everything farline for from get give go had has have he hello help her hi him his how i if in into is it its
     just know like make me much my need no not nothing now of on one or our out please same say she should so some
     someone something still t tell than thank thanks that the their them then there they thing this time to
     today too tried try trying up us use using very want was we well were what when where which while who
     whom why will with wont work would yes yesterday you your`,
  ),
)

/**
 * The answers that a message most likely asks for, best first, at most three. A word counts the more the
 * fewer questions have it; what only the topic suggests comes last. The same input gives the same answers.
 * @param answers in the order that decides between equals
 */
export function likelyAnswers<Answer extends ReadyAnswer>(
  answers: readonly Answer[],
  { topic, message }: Asked,
): readonly Answer[] {
  const wordsOf = answers.map(({ question, keywords }) => telling([question, ...keywords].join(' ')))
  const asked = telling(message)
  const worth = (word: string) => {
    const having = wordsOf.filter(words => words.has(word)).length
    return having === 0 ? 0 : Math.log(1 + answers.length / having)
  }
  const worths = new Map([...asked].map(word => [word, worth(word)]))
  /** What one word is worth that a tenth of the questions have: less is a coincidence. */
  const enough = Math.log(1 + 10)

  const shared = wordsOf.map(words => sum([...words].map(word => worths.get(word) ?? 0)))
  const least = Math.max(enough, Math.max(...shared) * comparable)
  return answers
    .map((answer, index) => {
      const said = shared[index] ?? 0
      const suggested = topic !== null && answer.topics.includes(topic) ? 1 : 0
      return { answer, score: (said < least ? 0 : said) + suggested }
    })
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostAnswers)
    .map(({ answer }) => answer)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function telling(text: string): ReadonlySet<string> {
  return new Set(stems(text).filter(word => !emptyWords.has(word)))
}

/** The words of a text without case, accents and the commonest English endings: `Charged` is `charg`. */
function stems(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replace(/['’]/g, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(word => word.replace(/(?<=.{3})(?:ing|ed|es|s|e)$/, ''))
}
