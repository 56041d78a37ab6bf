import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('verify-email', {
  description: 'This page confirms your e-mail address.',
  checking: 'Checking your link',
  checkingTime: 'This takes a second or two.',
  ring: 'VERIFYING · VERIFYING · VERIFYING · VERIFYING ·',
  openLink: 'Open the link in our e-mail',
  openLinkText: 'This page confirms your address when you open it from the e-mail we sent you.',
  expired: 'This link no longer works',
  expiredText:
    "A link works once, for 24 hours. If you've already confirmed, <login>log in</login>. If not, we'll send you a new one.",
  otherVerified: 'That address is verified',
  otherVerifiedText:
    'The link was for another account. You’re logged in as <address>.</address> To use the other account, log out and log in with its address.',
  makeCall: 'Make a call',
  changed: 'Your new address is confirmed',
  changedText: 'Your account is now at <address>.</address> Log in with it from now on.',
  profile: 'Your profile',
  changeExpiredText:
    "A link works once, for 24 hours. If your account's address hasn't changed, change it again in your profile.",
  changeTaken: 'This address has an account',
  changeTakenText:
    "Somebody has registered it since you asked for the link, so your account can't use it. It keeps its current address.",
  failed: "We couldn't check your link",
  tryAgain: 'Try again',
})
