import { messages } from '#lib/i18n/messages.ts'

export const mail = messages('account-deleted-mail', {
  subject: 'Your {company} account has been deleted',
  preview: "What's gone, and what we have to keep.",
  heading: 'Your account has been deleted',
  lostNothing: "As you asked, we've deleted your account. There were no credits left in your balance.",
  lostBalance:
    "As you asked, we've deleted your account. You lose the {left} of credits left in your balance.",
  lostHeld: "As you asked, we've deleted your account. You lose {held} of credits that were under review.",
  lostBoth:
    "As you asked, we've deleted your account. You lose the {left} of credits left in your balance and {held} of credits that were under review.",
  bookletsReady:
    "{count, plural, one {A booklet of {sum} that you sent hasn't been redeemed yet. Whoever has its code can still redeem it.} other {# booklets that you sent, {sum} in all, haven't been redeemed yet. Whoever has their codes can still redeem them.}} If you'd rather have the money back, reply to this e-mail with the number of the receipt.",
  bookletsStopped:
    "{count, plural, one {A booklet of {sum} that you sent hasn't been redeemed yet. Your account was restricted, so nobody can redeem it.} other {# booklets that you sent, {sum} in all, haven't been redeemed yet. Your account was restricted, so nobody can redeem them.}} If you'd rather have the money back, reply to this e-mail with the number of the receipt.",
  gone: 'Gone: your name and password, your devices, your contacts, your caller IDs, your saved card, your referral link, and your feedback on calls. Your call records will be deleted within a day. Records of free calls stay for up to 30 days, because we count free calls.',
  kept: 'Kept, without your name or address: what was paid, charged and refunded, and receipts with the last digits of the card. The law requires us to keep these. For a year we also keep a one-way hash of your address, so that each person gets one free first call.',
  again: "You're welcome to sign up again with this address at any time, as a new customer.",
  footnote:
    "Wasn't you? Somebody knew your password or used a device you were logged in on. Reply to this e-mail and we'll look into it.",
})
