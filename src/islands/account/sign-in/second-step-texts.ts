import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('second-step', {
  title: 'One more step',
  text: "Confirm it's you with your second factor.",
  passkey: 'Use your passkey',
  waiting: 'Waiting for your passkey…',
  orCode: 'or with a code',
  code: 'Code',
  recoveryCode: 'Recovery code',
  noCode: 'Enter a code.',
  login: 'Log in',
  loggingIn: 'Logging in…',
  startAgain: 'Start again',
  lost: "Lost your device and your codes? <support>Write to us</support>. When we're sure it's you, we'll remove them.",
  eitherHint: 'Six digits from your authenticator app, or one of your recovery codes',
  appHint: 'Six digits from your authenticator app',
  recoveryHint: 'One of the ten you saved. Each works once',
})
