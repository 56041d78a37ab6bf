import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('toasts', {
  dismiss: 'Dismiss',
})
