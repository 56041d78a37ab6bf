import { messages } from '#lib/i18n/messages.ts'

export const answers = messages('payment-answers', {
  credits_mismatch: 'The prices have changed. Reload this page and try again.',
  call_blocked:
    "Your account is restricted, so you couldn't use the credits. Nothing was charged. Write to {support}.",
  too_many_checkouts:
    "You've opened a lot of checkouts. Wait an hour, then try again. Your credits are safe.",
  payments_unavailable: "We can't reach our payment provider. Nothing was charged. Try again in a minute.",
  saveCardFirst: 'Make a credit purchase to save your card for auto top-up',
  already_asked: "You've already asked for a refund of this payment.",
  too_late: 'The 7 days for refunds on this page are over. Write to {support}.',
  disputed: 'This payment is disputed with your bank. Write to {support}.',
  under_review:
    "We're still reviewing this payment and will e-mail you the outcome. If you'd rather have your money back, write to {support}.",
  refund_limit: "A person has to approve this refund. Write to {support}, and we'll take care of it.",
  call_in_progress: "You're in a call. Hang up, then ask again.",
  gift_redeemed: 'This booklet has been redeemed, so its credits are with the person you sent it to.',
  nothing_unused:
    "You've used the credits you bought. Credits we gave you stay in your balance and can't be paid out to a card.",
  amount_changed: 'Your balance has changed, so the refund has as well. Check it again.',
  refund_refused: "The refund didn't go through. Your credits are back in your balance. Write to {support}.",
  checkout_expired: 'This checkout has expired. Go back and start again: nothing was charged.',
  invalid_card: "Something about this card isn't right. Check the number, the date and the security code.",
  not_a_test_card: 'Only test cards work here. Choose one above.',
  declined: 'The card was declined. Try another card, or ask the bank.',
  no_funds: "There isn't enough money on this card. Try another one.",
  not_asked: "The bank isn't waiting for an answer. Pay again.",
  not_approved: "You told the bank it wasn't you. Pay again, or use another card.",
  credits: '{credits} {company} credits',
  autoTopUp: '{credits} {company} credits, auto top-up',
  booklet: 'Booklet of {usd} {company} credits, for somebody else',
  keepCard:
    'By paying, you allow us to keep this card and to charge it automatically when your credits run low. You can switch this off at any time.',
})
