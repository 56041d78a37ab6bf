import { messages } from '#lib/i18n/messages.ts'

export const csv = messages('billing-csv', {
  date: 'Date (UTC)',
  description: 'Description',
  credits: 'Credits (USD)',
  balance: 'Balance (USD)',
  number: 'Number called',
  minutes: 'Minutes charged',
  receipt: 'Receipt',
  payment: 'Payment',
  call: 'Call',
})
