import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('payment-mails', {
  receiptSubject: 'Your receipt, {paid}',
  receiptPreview: '{sum} of credits is in your balance.',
  receiptPreviewHeld: '{sum} of credits is already in your balance.',
  thanks: 'Thank you for your payment',
  thanksAdded: 'Thank you. {sum} is in your balance',
  heldAmount:
    "{sum} of credits will arrive after a short review. We review anything over $500 in a day. We'll e-mail you when it's there. If we can't release it, the money goes back to your card.",
  heldCard:
    "{sum} of credits will arrive after a short review. This card has paid for several accounts lately, so we review the payment first. We'll e-mail you when it's there. If we can't release it, the money goes back to your card.",
  neverExpire: 'Credits never expire.',
  receipt: 'Receipt',
  date: 'Date',
  billedTo: 'Billed to',
  paidWith: 'Paid with',
  credits: 'Credits',
  bonus: 'Bonus credits',
  youPaid: 'You paid',
  seeReceipt: 'See your receipt',
  receiptFootnote:
    'Not what you wanted? You can get your money back within 7 days: use Refund in your billing history, or reply to this e-mail.',
  youHadPaid: 'You had paid',
  seeBilling: 'See your billing history',
  refundSubject: 'Your refund, {sum}',
  refundFailedSubject: "Your refund of {sum} didn't go through",
  refundPreview: 'The money is on its way to your card.',
  refundFailedPreview: 'So your credits are back in your balance.',
  refundFailedPreviewGift: 'So your booklet works again.',
  refundHeading: '{sum} is on its way back',
  refundFailedHeading: "Your refund didn't go through",
  refundText:
    'Your bank may need a few days to show it. Bonus credits that came with the refunded part have been taken out of your balance.',
  refundTextGift: "Your bank may need a few days to show it. The booklet's code no longer works.",
  refundFailedText:
    "Your bank didn't accept the refund, so your credits are back in your balance. Reply to this e-mail and we'll find another way.",
  refundFailedTextGift:
    "Your bank didn't accept the refund, so your booklet works again. Reply to this e-mail and we'll find another way.",
  refunded: 'Refunded',
  notRefunded: 'Not refunded',
  refundFootnote: "You're getting this e-mail because you asked for a refund in your billing history.",
  fraudSubject: 'We refunded your payment of {sum}',
  fraudPreview: "The card's bank reported it as fraud.",
  fraudHeading: '{sum} is on its way back to the card',
  fraudText:
    "The card's bank reported this payment as fraud, so we refunded it, and your account can't make calls for now. Any credits left from this payment have been taken out of your balance.",
  fraudTextGift:
    "The card's bank reported this payment as fraud, so we refunded it, and your account can't make calls for now. The code for the booklet you bought no longer works.",
  fraudNext:
    'If it was you who paid, let the bank know, then reply to this e-mail. Somebody on our team will look at it so you can call again.',
  sentBack: 'Sent back',
  fraudFootnote: "You're getting this e-mail because you bought credits with this card.",
  releaseSubject: '{sum} of credits added after our review',
  releasePreview: 'The rest of your payment is in your balance.',
  releaseHeading: '{sum} of credits is in your balance',
  releaseText:
    "We've reviewed your payment, and everything is fine. The rest of your credits, and their bonus if there was one, are now in your balance. They never expire.",
  releaseFootnote: 'You got a receipt for the whole payment when you made it.',
})
