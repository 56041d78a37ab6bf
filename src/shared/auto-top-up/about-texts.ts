import { messages } from '#lib/i18n/messages.ts'

export const about = messages('about-auto-top-up', {
  title: 'About Auto Top-Up',
  close: 'Got it',
  when: "When your balance falls to {balance}, we charge your saved card, so your call isn't cut off. If that fails, we'll e-mail you, and the call ends when your credits run out.",
  sameAmount: 'The amount is the one you last bought',
  receipt: 'You get a receipt by e-mail each time',
  switchOff: 'Switch it off here whenever you like',
  savedCard: 'We use the card from your last purchase with auto top-up on.',
  noCard: "A purchase with auto top-up on saves the card. Until then, we can't charge anything.",
  terms: 'The terms have the details.',
  drawing: 'The balance falls as you talk. When it reaches {balance}, {amount} is added.',
  fromCard: '+ {amount} from your card',
})
