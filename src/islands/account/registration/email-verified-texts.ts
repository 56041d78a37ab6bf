import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('email-verified', {
  title: 'E-mail verified',
  description: 'Your e-mail address is verified, and you can make your first call.',
  postmarkTop: 'VERIFIED',
  postmarkBottom: 'FIRST CALL',
  postmarkMiddle: 'Free',
  openLink: 'Open the link in our e-mail',
  unverified: 'We sent it to you when you signed up. Your address is verified once you open it.',
  unknown: 'Your address is verified once you open it. If you already have, log in and call.',
  checkEmail: 'Check your e-mail',
  login: 'Login',
  verified: "You're on the line",
  ready: 'Your e-mail is verified and your {ready, select, account {account} other {free call}} is ready.',
  makeCall: 'Make a call',
  makeFreeCall: 'Make your free call',
  call: 'Call {number}',
  loginAndCall: 'Log in and call',
  loginAndCallNumber: 'Log in and call {number}',
})
