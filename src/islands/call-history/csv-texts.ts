import { messages } from '#lib/i18n/messages.ts'

/** Apart from the page's: the file is made when it is asked for. */
export const csv = messages('call-history-csv', {
  placed: 'Placed (UTC)',
  number: 'Number',
  name: 'Name',
  country: 'Country',
  outcome: 'How it ended',
  length: 'Length (seconds)',
  minutes: 'Minutes charged',
  rate: 'Rate per minute (USD)',
  cost: 'Cost (USD)',
  refunded: 'Refunded (USD)',
  free: 'Free call',
  call: 'Call',
  yes: 'yes',
  no: 'no',
  somebodyElse: "You're now logged in as somebody else. Please try again.",
})
