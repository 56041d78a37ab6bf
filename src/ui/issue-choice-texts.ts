import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('issue-choice', {
  question: 'What went wrong?',
})
