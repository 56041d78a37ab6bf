import { afterEach, expect, test } from 'vitest'
import { renderIn, sourceLanguage } from '#lib/i18n/language.ts'
import { defaultCountry } from '#lib/numbers/countries.ts'
import { readSavedNumber } from '#server/contacts/saved-number.ts'
import { languages } from '#support/languages.ts'

afterEach(() => renderIn(sourceLanguage))

test.each(['en', ...languages.map(({ tag }) => tag)])(
  'why a number is not saved is one sentence in %s',
  tag => {
    renderIn(tag)
    const saved = readSavedNumber('+449098790123', defaultCountry)
    expect(saved).toMatchObject({ ok: false, message: expect.stringMatching(/\p{Sentence_Terminal}$/u) })
    expect(saved.ok || saved.message.slice(0, -1)).not.toMatch(/\p{Sentence_Terminal}/u)
  },
)
