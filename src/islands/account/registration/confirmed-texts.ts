import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('confirmed', {
  verified: 'Your e-mail is verified.',
  pressCall: 'Your e-mail is verified. Press Call when you’re ready.',
})
