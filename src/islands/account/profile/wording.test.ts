import { afterEach, expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { addLanguage } from '#lib/i18n/messages.ts'
import spanish from '../../../languages/es/profile.json' with { type: 'json' }
import { sizeText } from './wording.ts'

addLanguage('es', { profile: spanish })
afterEach(() => renderIn(sourceLanguage))

test.each([
  ['en', ['12 KB', '3.0 MB']],
  ['es', ['12 KB', '3,0 MB']],
])('names sizes in %s', (language, sizes) => {
  renderIn(language)
  expect([11_001, 3_000_000].map(sizeText)).toEqual(sizes)
})
