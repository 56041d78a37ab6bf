import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('login', {
  title: 'Login',
  description: 'Log in to call abroad from your browser and to see your credits and calls.',
  newHere: 'New to {company}? <register>Register, first call free</register>',
  heading: 'Welcome back',
  callIsNext: 'Log in, and your call to <b>{number}</b> is next.',
  noEmail: 'Enter your e-mail address.',
  noPassword: 'Enter your password.',
  noMatch: "That e-mail and password don't match.",
  forgot: 'Forgot password?',
  login: 'Login',
  loggingIn: 'Logging in…',
  passkey: 'Log in with a passkey',
  waiting: 'Waiting for your passkey…',
})
