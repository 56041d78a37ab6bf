import { messages } from '../i18n/messages.ts'

/** What is wrong with what is written on an envelope. */
export const giftFaults = messages('gift-faults', {
  tooLong: 'Use at most {max, plural, one {# character} other {# characters}}.',
  link: "Leave out web addresses: they wouldn't arrive as you typed them.",
  name: 'Enter a name.',
})
