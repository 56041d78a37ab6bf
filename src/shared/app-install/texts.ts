import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('app-install', {
  install: 'Install Farline',
  openLinks: 'Open phone links here',
  permission:
    'Your browser will ask for permission. After that, a number on another page opens here, ready to call.',
})
