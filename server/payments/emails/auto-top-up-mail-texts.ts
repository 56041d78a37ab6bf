import { messages } from '#lib/i18n/messages.ts'

export const mails = messages('auto-top-up-mails', {
  receiptSubject: 'Auto top-up: your receipt, {paid}',
  receiptText:
    'Your balance fell to {low} or less, so we charged your saved card {paid}, as you asked. You can turn auto top-up off on Buy Credits at any time.',
  heading:
    "{reason, select, declined {Your card was declined} authentication_required {Your bank wants you to approve the payment} card_gone {We can't charge your saved card any more} other {Your credits weren't topped up}}",
  preview:
    "{reason, select, declined {Your card was declined. No credits were added.} authentication_required {Your bank wants you to approve the payment. No credits were added.} card_gone {We can't charge your saved card any more. No credits were added.} other {Your credits weren't topped up. No credits were added.}}",
  failedSubject: "Auto top-up didn't work",
  pausedSubject: 'Auto top-up is paused',
  offSubject: 'Auto top-up is off',
  failedText:
    "Your balance fell to {low} or less, so we tried to charge {sum} to your {card}. {reason, select, declined {Your bank declined it.} authentication_required {Your bank wants you to approve it yourself, and we can't do that for you.} card_gone {The card is no longer available to charge.} other {We couldn't reach our payment provider. If your card was charged after all, the credits and a receipt will follow.}} No credits were added: your balance was {balance}. A call goes on for as long as your balance covers it.",
  nextOff:
    'Auto top-up is off now. Buy credits with auto top-up turned on, and that purchase saves your card again.',
  nextPaused:
    "It failed last time as well, so auto top-up is paused and we won't try again. Talk to your bank, then turn it on again on Buy Credits. To use another card, turn it on and buy credits with that one.",
  nextUnreachable: 'Buy credits to keep calling. You can turn auto top-up off on Buy Credits at any time.',
  nextDeclined:
    "Buy credits to keep calling. Otherwise we'll try once more when a call needs it, in an hour at the earliest. You can turn auto top-up off on Buy Credits at any time.",
  nextApprove:
    "Buy credits to keep calling. Your bank will ask you to approve it there. Otherwise we'll try once more when a call needs it, in an hour at the earliest. You can turn auto top-up off on Buy Credits at any time.",
  buyCredits: 'Buy credits',
  failedFootnote: "You're getting this e-mail because auto top-up was on for your {company} account.",
  limitSubject: 'Auto top-up has reached its limit for now',
  limitPreview: 'Your card was not charged. Auto top-up stays on.',
  limitHeading: 'Auto top-up has reached its limit',
  limitOften:
    "Your balance is {balance}. To protect your card, we charge it at most once a day while you're new here, and at most once an hour and three times a day after your first week and your first $25. You've reached that limit, so we didn't charge your card this time.",
  limitReview:
    "Your balance is {balance}. You bought {sum} of credits or more within a day, and we review anything over that. This whole top-up would have needed a review, so we didn't charge your card.",
  keepBuying: 'Buy credits to keep calling. Auto top-up stays on.',
  keepWriting: 'Write to {support} to keep calling. Auto top-up stays on.',
  limitFootnote:
    "You're getting this e-mail because auto top-up is on for your {company} account. We send it at most once a day.",
})
