import type { SupportTopic } from '#lib/support.ts'

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

/** Words without meaning for the search, stemmed. */
const stopWords = new Set(
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
 * Best first, max three. Words in fewer questions weigh more; answers suggested only by the topic come last.
 * @param answers in the order that breaks ties
 */
export function likelyAnswers<Answer extends ReadyAnswer>(
  answers: readonly Answer[],
  { topic, message }: Asked,
): readonly Answer[] {
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

function keywordsIn(text: string): ReadonlySet<string> {
  return new Set(stems(text).filter(word => !stopWords.has(word)))
}

/** Words of a text in lower case, without accents and common English endings: `Charged` becomes `charg`. */
function stems(text: string): readonly string[] {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').replace(/['’]/g, '').toLowerCase()
  return (plain.match(/[\p{L}\p{N}]+/gu) ?? []).map(word => word.replace(/(?<=.{3})(?:ing|ed|es|s|e)$/, ''))
}
