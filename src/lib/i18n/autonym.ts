/** A language's name in that language, as `Español`. @param language BCP 47 tag */
export function autonymOf(language: string): string {
  const names = new Intl.DisplayNames([language], { type: 'language', languageDisplay: 'standard' })
  const [first = '', ...rest] = names.of(language) ?? language
  return first.toLocaleUpperCase(language) + rest.join('')
}
