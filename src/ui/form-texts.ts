import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('form', {
  email: 'E-mail',
  emailExample: 'you@example.com',
  password: 'Password',
  show: 'Show {field}',
  hide: 'Hide {field}',
  secondsLeft: '{seconds, plural, one {# second left.} other {# seconds left.}}',
  minutesLeft: '{minutes, plural, one {# minute left.} other {# minutes left.}}',
  againInSeconds: 'You can try again in {seconds, plural, one {# second} other {# seconds}}.',
  againInMinutes: 'You can try again in {minutes, plural, one {# minute} other {# minutes}}.',
  unusable: "We can't use this value.",
})
