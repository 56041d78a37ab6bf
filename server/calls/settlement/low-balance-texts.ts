import { messages } from '#lib/i18n/messages.ts'

export const mail = messages('low-balance-mail', {
  usedUp: 'Your credits are used up',
  runningLow: 'Your credits are running low',
  preview: 'Top up before your next call.',
  left: 'You have {left} left',
  lastCall:
    "Your last call left {left} in your balance. A call ends when your balance can't cover its next minute.",
  autoTopUp:
    "Credits never expire. Turn on auto top-up when you buy, and you won't have to think about it again.",
  buyCredits: 'Buy credits',
  footnote: 'We send this e-mail once per top-up, and never while auto top-up is on.',
})
