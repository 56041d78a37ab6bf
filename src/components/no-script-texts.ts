import { messages } from '#lib/i18n/messages.ts'

/** What pages say in place of a form or list where scripts are off. */
export const noScript = messages('no-script', {
  turnOn: "Turn it on for this site in your browser's settings, then reload the page.",
  calling: 'Calling needs JavaScript.',
  buyingCredits: 'Buying credits needs JavaScript.',
  callHistory: 'Your call history needs JavaScript.',
  billingHistory: 'Your billing history needs JavaScript.',
  receipt: 'Your receipt needs JavaScript.',
  referrals: 'Showing your referrals needs JavaScript.',
  profile: 'Your profile needs JavaScript.',
  sendingBooklet: 'Sending a booklet needs JavaScript.',
  redeeming: 'Redeeming a booklet needs JavaScript.',
  loggingIn: 'Logging in needs JavaScript.',
  registering: 'Registering needs JavaScript.',
  confirming: 'Confirming your e-mail address needs JavaScript.',
  sendingAgain: 'Sending it again needs JavaScript.',
  newPassword: 'Choosing a new password needs JavaScript.',
  answering: 'Answering needs JavaScript.',
  support: 'This form needs JavaScript. Without it, write to <mail>{email}</mail>.',
})
