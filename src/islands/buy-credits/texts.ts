import { messages } from '#lib/i18n/messages.ts'

export const texts = messages('buy-credits', {
  title: 'Buy Credits',
  description:
    'Prepaid credits for calls abroad, in US dollars, with a bonus from $50. Work out what a call to any country costs before you pay.',
  lede: 'Prepaid, in US dollars. Credits never expire, and unused credits are refundable for 7 days. For someone else? <gift>Send a line</gift>.',
  custom: 'Custom amount',
  range: '{min} to {max}',
  whole: 'Whole US dollars',
  minutes: '{minutes, plural, one {# minute} other {# minutes}}',
  freeMinutes: '+{minutes, plural, one {# minute} other {# minutes}} free!',
  credits: 'Credits',
  bonus: 'Bonus',
  bonusCredits: '+{credits, plural, one {# credit} other {# credits}}',
  bonusFrom: 'from $50',
  minutesAt: 'Minutes, at {rate} a minute',
  youPay: 'You pay',
  noAmount: 'No amount chosen.',
  spoken:
    'You pay {pay} for {credits, plural, one {# credit} other {# credits}}: {minutes, plural, one {# minute} other {# minutes}} at {rate} a minute.',
  spokenWithBonus:
    'You pay {pay} for {credits, plural, one {# credit} other {# credits}}, {bonus, number} of them free: {minutes, plural, one {# minute} other {# minutes}} at {rate} a minute.',
  consent:
    "By paying, you ask us to start at once, before the 14 days to cancel are over. If you cancel, you pay for the calls made until then. We refund what you haven't used: see our <refunds>7-day money-back guarantee</refunds>.",
  autoTopUpOn:
    'Auto top-up is on: you let us keep this card and charge it the same amount when calls take your balance to {balance} or less, until you switch it off.',
  card: 'You enter your card on our payment provider’s page. {company} never sees the number.',
  newCustomer:
    'In the {hours, plural, one {# hour} other {# hours}} after your first payment, you can spend up to {amount} on calls.',
  review: 'Amounts over {amount} a day, and their bonus, arrive after a short review.',
  reviewLarge:
    '{atOnce} of this arrives at once, minus what you paid in the last 24 hours. The other {rest} or more, and the bonus, arrive after a short review.',
})
