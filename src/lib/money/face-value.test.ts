import { afterEach, expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '../i18n/language.ts'
import { faceAmount } from './face-value.ts'

afterEach(() => renderIn(sourceLanguage))

test('an amount on a stamp has few characters in every language, and cents only where there are some', () => {
  expect([10, 9.5, 1200].map(faceAmount)).toEqual(['$10', '$9.50', '$1,200'])
  renderIn('ar')
  expect(faceAmount(100)).toBe('$100')
})
