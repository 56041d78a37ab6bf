import { messages } from '#lib/i18n/messages.ts'

export const layout = messages('mail-layout', {
  copyAddress: 'Or copy this address into your browser:',
  undelivered: 'If undelivered, return to: {company}, {place}',
})
