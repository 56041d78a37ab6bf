import { messages } from '../i18n/messages.ts'

export const callGroupTexts = messages('call-groups', {
  talked: 'Talked',
  no_answer: 'No answer',
  busy: 'Busy or declined',
  cut_off: 'Cut off',
  failed: 'Failed',
})
