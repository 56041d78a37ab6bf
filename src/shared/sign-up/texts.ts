import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('sign-up', {
  to: 'To',
  callIsNext: 'Sign up, and your call to <b>{number}</b> is next. No card.',
  passwordHint: 'At least {length, plural, one {# character} other {# characters}}',
  register: 'Register',
  registering: 'Registering…',
})
