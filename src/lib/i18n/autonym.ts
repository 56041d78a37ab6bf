import { memoised } from '../memoised.ts'

/** A language's name in that language, such as `Español`. The key is a BCP 47 tag. */
export const autonymOf = memoised(language => {
  const names = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' })
  const [first = '', ...rest] = names.of(language) ?? language
  return first.toLocaleUpperCase(language) + rest.join('')
})
