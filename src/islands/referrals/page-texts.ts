import { messages } from '#lib/i18n/messages.ts'

export const page = messages('referrals-page', {
  title: 'Referrals',
  description:
    'Your own link to send to people you know, what it earns you when they buy credits, and who joined through it.',
})
