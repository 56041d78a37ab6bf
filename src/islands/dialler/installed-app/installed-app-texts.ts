import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('installed-app', {
  stay: 'Your mic may stop when you leave this app. Stay in it, or call from Safari.',
})
