import { afterEach, expect, test } from 'vitest'
import { renderIn, sourceLanguage } from './language.ts'
import { atLineStart, relativeDay } from './relative-day.ts'

afterEach(() => renderIn(sourceLanguage))

test.each([
  ['en', 'today', 'Yesterday'],
  ['es', 'hoy', 'Ayer'],
  ['ar', 'اليوم', 'أمس'],
])('days in %s', (language, today, yesterday) => {
  renderIn(language)
  expect(relativeDay('today')).toBe(today)
  expect(atLineStart(relativeDay('yesterday'))).toBe(yesterday)
})
