import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('realtime', {
  socketTrouble: 'Connection issue - some features may not work',
})
