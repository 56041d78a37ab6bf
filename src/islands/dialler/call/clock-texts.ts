import { messages } from '#lib/i18n/messages.ts'

export const clockTexts = messages('two-clocks', {
  both: '{time} for both of you',
  apart: '{here} here · {time} {place}',
})
