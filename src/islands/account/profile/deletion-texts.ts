import { messages } from '#lib/i18n/messages.ts'

export const deletion = messages('account-deletion', {
  title: 'Delete account',
  about:
    'Your contacts, stamps, history and remaining credits go with it. We keep receipts, as the law requires.',
  ask: 'Delete account?',
  keep: 'Keep account',
  confirm: 'Delete for good',
  deleting: 'Deleting…',
  deletingAccount: 'Deleting your account',
  deleted: 'Your account has been deleted.',
  email: 'Your e-mail, to confirm',
  wrongEmail: "That isn't the e-mail address of this account.",
  loss: "You can't undo this. Your contacts, numbers, stamps and call history go with it.",
  creditsLoss:
    "You can't undo this. You'll lose <amount>{sum}</amount> of credits, your contacts, numbers, stamps and call history.",
  heldLoss:
    "You can't undo this. You'll lose <amount>{sum}</amount> of credits, including those under review, your contacts, numbers, stamps and call history.",
  refund:
    'Bought credits in the last {days, number} days? <refund>Ask for a refund</refund> first. <how>How refunds work</how>.',
  booklets:
    "{count, plural, one {A booklet you sent hasn't been redeemed yet:} other {# booklets you sent, {sum} in all, haven't been redeemed yet:}}",
  booklet: 'for <name>{recipient}</name>, <amount>{sum}</amount>',
  somebody: 'somebody',
  moreBooklets: 'and {count, number} more',
  inReview:
    "{count, plural, one {It's under review. You can delete your account once it's refunded or the review is over.} other {One or more are under review. You can delete your account once they're refunded or the review is over.}}",
  onHold:
    'Your account is restricted, so nobody can redeem {count, plural, one {it} other {them}}, even after you delete it.',
  redeemable:
    "{count, plural, one {Whoever has its code can still redeem it when you're gone. You won't see the code any more.} other {Whoever has their codes can still redeem them when you're gone. You won't see the codes any more.}}",
  moneyBack: '<sent>Get {count, plural, one {its} other {their}} money back</sent> first if you want it.',
})
