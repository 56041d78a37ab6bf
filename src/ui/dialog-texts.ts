import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('dialog', {
  close: 'Close',
  cancel: 'Cancel',
})
