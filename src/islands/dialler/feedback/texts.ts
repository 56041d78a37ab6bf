import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('feedback', {
  title: 'How was your call?',
  scale: 'From 1, poor, to 5, clear',
  review: 'Review us on an independent site',
  noThanks: 'No Thanks',
  send: 'Send',
  chooseIssue: 'Choose what went wrong, and you can get {amount} back.',
  refund: 'Refund {amount} to my balance',
  thanks: 'Thank you!',
  appreciated: 'We really appreciate your feedback.',
})
