import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('gift-mails', {
  receiptSubject: 'Your receipt, {paid} for {name}',
  heldPreview: 'We need to review the payment first.',
  readyToPrint: 'The envelope is ready to print or pass on.',
  thanks: 'Thank you for your payment',
  ready: 'Your booklet for {name} is ready',
  heldText:
    "We need to review this payment before the booklet works. We'll e-mail you when it does. If we can't release it, the money goes back to the card.",
  where:
    "You'll find the envelope and its code under Send a line. Print it, or copy its link, as often as you like.",
  untilRedeemed: "The credits never expire. Until they're redeemed, you can get your money back.",
  receipt: 'Receipt',
  billedTo: 'Billed to',
  paidWith: 'Paid with',
  bookletFor: 'Booklet for {name}',
  youPaid: 'You paid',
  seeBooklets: 'See your booklets',
  boughtFootnote: "You're getting this e-mail because you bought a booklet of {company} credits.",
  waiting: '{sum} of credits is waiting to be redeemed.',
  reviewed:
    "We've reviewed your payment, and everything is fine. The booklet of {sum} works now. Print the envelope, or copy its link and pass it on.",
  reviewedFootnote: 'You got a receipt when you paid.',
  envelopeSubject: 'Somebody sent you a line: {sum} for calls',
  envelopePreview: 'A booklet of {sum} to call any phone from your browser.',
  envelopeHeading: '{to}, {from} sent you a line',
  message: '{name} writes: “{message}”',
  envelopeText:
    '{from} bought you {sum} of {company} credits. With them you can call any phone, abroad or at home, from the browser on your computer or phone. The credits never expire.',
  envelopeHow:
    'Open the link, sign up with your e-mail address, and the credits are in your balance. It takes two minutes and no card.',
  from: 'From',
  yourCode: 'Your code',
  credits: 'Credits',
  redeem: 'Redeem your credits',
  envelopeFootnote:
    "The names and the message are the sender's words, not ours. {name} gave us your address for this one e-mail. We keep it only to show {name} where it went, until the credits are redeemed, and we won't write to you again. Not for you? Ignore this e-mail, or reply and we'll delete your address.",
  redeemedSubject: 'Your booklet for {name} was redeemed',
  redeemedPreview: '{sum} of credits has arrived.',
  redeemedHeading: 'Your line has arrived',
  redeemedText:
    'The booklet of {sum} that you sent to {name} was redeemed just now. Keep your phone close: it may ring soon.',
  redeemedFootnote: 'We send this e-mail once for each booklet you buy.',
  somebody: 'somebody',
})
