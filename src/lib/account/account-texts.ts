import { messages } from '../i18n/messages.ts'

export const texts = messages('account', {
  emailTooLong: 'That e-mail address is too long.',
  emailExample: 'Enter an e-mail address such as name@example.com.',
  tooShort: 'Use at least {length, plural, one {# character} other {# characters}}.',
  tooLong: 'Use at most {length, plural, one {# character} other {# characters}}.',
})
