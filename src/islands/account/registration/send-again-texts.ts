import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('send-again', {
  sendAgain: 'Send it again',
  /** The tag holds what is not read out. */
  sendAgainIn: 'Send it again<wait> in {seconds, number} s</wait>',
  wait: 'You can send it again in {seconds, number} s.',
  sending: 'Sending…',
  newLink: 'Send a new link',
  newLinkSent: 'If that address has an account to confirm, a new link is on its way.',
  tooSoon: 'You just asked for a link to that address. We send at most one a minute.',
})
