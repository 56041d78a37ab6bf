import { messages } from '#lib/i18n/messages.ts'

export const envelope = messages('gift-envelope', {
  from: 'From',
  to: 'To',
  forCalls: 'for calls',
})
