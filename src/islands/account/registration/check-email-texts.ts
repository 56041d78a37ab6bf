import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('check-email', {
  title: 'Check your e-mail',
  description: 'We sent you a link. Open it and your free call is ready.',
  openInbox: 'Open the local inbox',
  another: 'Use another address',
  open: 'Open it and your {ready, select, account {account} other {free call}} is ready.',
  /** In this and other texts, the tag holds what must not be parted from the address before it. */
  sentTo: 'We sent a link to <address>.</address>',
  hints: 'It can take a minute. Nothing there? Check your spam folder. Not your address? <another></another>',
  sent: 'We sent you a link.',
  noEmail: 'No e-mail? Enter the address you signed up with.',
})
