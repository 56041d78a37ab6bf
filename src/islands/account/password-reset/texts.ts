import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('password-reset', {
  forgotDescription: "Tell us your e-mail address and we'll send you a link to choose a new password.",
  forgot: 'Forgot your password?',
  forgotText:
    "Enter your e-mail address and we'll send you a link to choose a new one. It works for {minutes, plural, one {# minute} other {# minutes}}.",
  rememberedProfile: 'Remembered it? <profile>Back to your profile</profile>',
  rememberedLogin: 'Remembered it? <login>Login</login>',
  sendLink: 'Send the link',
  sending: 'Sending…',

  sent: 'Check your e-mail',
  sentText:
    'If <address></address> has an account, a link is on its way. It works for {minutes, plural, one {# minute} other {# minutes}}.',
  hints: 'It can take a minute. Nothing there? Check your spam folder.',
  another: 'Use another address',

  resetDescription: 'This page sets a new password for your account.',
  choose: 'Choose a new password',
  forAddress: 'For <b>{email}</b>.',
  othersLoggedOut: 'Every other device will be logged out.',
  newPassword: 'New password',
  hint: 'At least {length, plural, one {# character} other {# characters}}. Longer is stronger.',
  save: 'Save and log in',
  saving: 'Saving…',
  changed: "Your password is changed, and you're logged in.",

  checking: 'Checking your link',
  checkingTime: 'This takes a second or two.',
  openLink: 'Open the link in our e-mail',
  openLinkText:
    "Use the link we sent you to choose a new password. You can open it again until you've used it. No e-mail? Ask for another.",
  expired: 'This link is too old',
  expiredText:
    'Reset links work once, for {minutes, plural, one {# minute} other {# minutes}}. Ask for a new one.',
  failed: "We couldn't check your link",
  tryAgain: 'Try again',
})
