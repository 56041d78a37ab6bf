import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('sent-mail', {
  /** Promises nothing, because it must not reveal whether the address has an account. */
  askedAgain: "You've asked for it again. It can take a minute. Check your spam folder as well.",
  onItsWay: 'A link is on its way. You can send another in {seconds, number} s.',
  sending: 'Sending…',
})
