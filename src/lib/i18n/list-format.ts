import { memoised } from '../memoised.ts'
import { isRightToLeft } from './direction.ts'
import { currentLanguage, sourceLanguage } from './language.ts'

const formatOf = memoised(key => {
  const [language, type] = key.split(' ') as [string, Intl.ListFormatType]
  // No comma before the last `and`.
  return new Intl.ListFormat(language === sourceLanguage ? 'en-GB' : language, { type })
})

/** `809, 829 and 849`, in the language of the page. From right to left each item keeps its own direction. */
export function listed(
  items: readonly string[],
  type: 'conjunction' | 'disjunction' = 'conjunction',
): string {
  const language = currentLanguage()
  return formatOf(`${language} ${type}`).format(
    isRightToLeft(language) ? items.map(item => `\u2068${item}\u2069`) : items,
  )
}
