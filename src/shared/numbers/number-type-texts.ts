import { messages } from '#lib/i18n/messages.ts'

export const numberTypeTexts = messages('number-types', {
  landline: 'Landline',
  mobile: 'Mobile',
  either: 'Mobile or landline',
  toll_free: 'Toll-free',
  voip: 'Internet phone',
  company: 'Company number',
  voicemail: 'Voicemail',
  special: 'Special rate',
})
