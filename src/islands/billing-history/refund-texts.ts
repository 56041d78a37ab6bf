import { messages } from '#lib/i18n/messages.ts'

export const refundTexts = messages('refund', {
  title: 'Refund this payment',
  keep: 'Keep my credits',
  working: 'Refunding…',
  refund: 'Refund {amount}',
  checking: "Checking what you haven't used…",
  pending: "We're refunding {amount}. You'll get an e-mail once it's done.",
  done: '{amount} is on its way back to your card.',
  gift: "goes back to the card you paid with. The booklet's code stops working at once. Your balance stays as it is.",
  terms:
    "goes back to the card you paid with. It's the unused part of this payment. Your balance goes down by {credits}. Calls use the credits you bought first. Other credits we gave you stay.",
  termsWithBonus:
    "goes back to the card you paid with. It's the unused part of this payment. Your balance goes down by {credits}, because its bonus goes with it. Calls use the credits you bought first. Other credits we gave you stay.",
  once: 'You can get one refund per payment. Your bank may take a few days to show it.',
  onceUntil: 'You can get one refund per payment, until {day}. Your bank may take a few days to show it.',
})
