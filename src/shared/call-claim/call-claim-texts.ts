import { messages } from '#lib/i18n/messages.ts'

export const claimTexts = messages('call-claim', {
  alreadyRefunded: 'This call has already been refunded.',
  refunded: '{amount} is back in your balance.',
  usedUp:
    "Bad call? You've had all the refunds you can claim here in 30 days. <write>Write to us</write>, and a person will look at it.",
  badCall: 'Bad call? Get your money back',
  part: 'You can get {amount} back here. For the rest, <write>write to us</write>.',
  write: 'Write to us about this call',
  cancel: 'Cancel',
  refunding: 'Refunding…',
  refund: 'Refund {amount}',
})
