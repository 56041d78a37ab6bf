import { messages } from '#lib/i18n/messages.ts'

export const claims = messages('call-claims', {
  not_ended: "This call hasn't ended yet. You can claim a refund once it has.",
  nothing_charged: 'Nothing was charged for this call, so there is nothing to refund.',
  already_credited: 'This call has already been refunded. You can see it in your billing history.',
  too_late:
    'You can claim a refund here for {days} days after a call. Write to us, and a person will look at it.',
  claim_limit:
    "You've had all the refunds you can claim here in {days} days. Write to us, and a person will look at it.",
  claim_budget:
    "We can't refund this call automatically right now. Write to us, and a person will look at it.",
  call_blocked: 'Your account is restricted, so a person has to look at this. Write to us.',
  receiptNotReady: "This call hasn't ended yet. Its receipt will be ready once it ends.",
})
