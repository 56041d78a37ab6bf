import { expect, test } from 'vitest'
import { bestLanguage } from './best-language.ts'

const available = ['en', 'es', 'pt-BR', 'ar', 'zh-Hans', 'fil']

test.each([
  [['es-MX'], 'es'],
  [['pt'], 'pt-BR'],
  [['zh-TW'], undefined],
  [['zh-TW', 'zh-CN'], 'zh-Hans'],
  [['tl'], 'fil'],
  [['de', 'ar-EG', 'en'], 'ar'],
  [['*', 'no tag!', 'en-GB'], 'en'],
  [[], undefined],
])('%j', (wanted, language) => {
  expect(bestLanguage(wanted, available)).toBe(language)
})
