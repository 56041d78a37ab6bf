import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** Sent after a call that left a low balance. @param balance micro-dollars */
export function lowBalanceEmail(publicUrl: string, balance: number): EmailTemplate {
  const left = formatBalance(balance)
  return {
    subject: balance === 0 ? 'Your credits are used up' : 'Your credits are running low',
    preview: 'Top up before your next call.',
    heading: balance === 0 ? 'Your credits are used up' : `You have ${left} left`,
    paragraphs: [
      `Your last call left ${left} in your balance. A call ends when your balance can't cover its next minute.`,
      "Credits never expire. Turn on auto top-up when you buy, and you won't have to think about it again.",
    ],
    action: { label: 'Buy credits', url: `${publicUrl}/buy-credits` },
    footnote: 'We send this e-mail once per top-up, and never while auto top-up is on.',
  }
}
