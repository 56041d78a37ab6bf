import { messages } from '#lib/i18n/messages.ts'

/** In the suggested language, on a page of another. */
export const suggestion = messages('language-suggestion', {
  read: 'Read this page in English',
  dismiss: 'No, thanks',
})
