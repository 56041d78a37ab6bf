import { messages } from '../i18n/messages.ts'

export const cardTexts = messages('payment-card', {
  ending: '{brand} ending {last4}',
})
