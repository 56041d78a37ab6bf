import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { frame } from '#components/texts.ts'
import { inLanguage, languageOf, openLanguages } from '#server/languages/languages.ts'

openLanguages()

test('requests that are answered at the same time each have their language', async () => {
  const read = (language: string) =>
    inLanguage(language, async () => {
      await turn()
      return frame.menu
    })
  expect(await Promise.all(['es', 'en', 'ar', 'xx'].map(read))).toEqual(['Menú', 'Menu', 'القائمة', 'Menu'])
})

test.each([
  ['es', 'es'],
  ['es-MX,es;q=0.9,en;q=0.8', 'es'],
  ['de, ar;q=0.5', 'ar'],
  [undefined, 'en'],
  ['*', 'en'],
  [`${'x'.repeat(300)},es`, 'en'],
])('%s is answered in %s', (header, language) => {
  expect(languageOf({ headers: header === undefined ? {} : { 'accept-language': header } })).toBe(language)
})
