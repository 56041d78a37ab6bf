import { messages } from '#lib/i18n/messages.ts'

export const structuredTexts = messages('structured-data', {
  service: 'International phone calls',
})
