import { messages } from '#lib/i18n/messages.ts'

export const answers = messages('gift-answers', {
  restricted: 'Your account is restricted. Write to {support}. Nothing was charged.',
  restrictedCode: 'Your account is restricted. Write to {support}. The code still works.',
  unknownCode:
    "This code doesn't open a booklet. Check it letter by letter. A code works once, and not after a refund. If it looks right, ask the person who sent it, or write to {support}.",
  emailUnverified: 'Confirm your e-mail address first. The link is in your inbox.',
  dailyLimit: 'You can send booklets worth {sum} a day. Nothing was charged. Try again tomorrow.',
  tooManyCheckouts: "You've opened many checkouts. Wait an hour, then try again. Nothing was charged.",
  paymentsUnavailable: "We can't reach our payment provider. Nothing was charged. Try again in a minute.",
  redeemedMany: "You've redeemed many booklets. The code still works, so try again tomorrow.",
  triedMany: "You've tried many codes. Wait an hour, then try again with the envelope next to you.",
})
