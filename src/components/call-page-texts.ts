import { messages } from '#lib/i18n/messages.ts'

export const callPage = messages('call-page', {
  title: 'Call',
  description:
    'Call any mobile or landline abroad from this page. The rate per minute shows before you call, and your first call is free.',
  tooOld: 'This browser is too old for calls. Update it, then reload the page.',
})
