import { messages } from '#lib/i18n/messages.ts'

export const mail = messages('referral-mail', {
  subject: 'You earned {sum} of credits',
  preview: 'Somebody you referred has bought credits.',
  heading: '{sum} of credits, with our thanks',
  text: 'Somebody who signed up through your link bought credits, and their payment can no longer be refunded. Your reward is in your balance now. Use it for calls; it never expires.',
  seeReferrals: 'See your referrals',
  footnote: 'We send this e-mail once for each person you refer.',
  deletedAccount: 'Deleted account',
})
