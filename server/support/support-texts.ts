import { messages } from '#lib/i18n/messages.ts'

export const answers = messages('support-answers', {
  tooMany: 'This form has taken all the messages it can today. You can write to {support} now.',
})
