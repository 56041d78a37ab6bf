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
      `Your last call left ${left} on your balance. A call ends when the balance no longer pays for its next minute.`,
      'Credits never expire. With auto top-up, which you can turn on when you buy, this takes care of itself.',
    ],
    action: { label: 'Buy credits', url: `${publicUrl}/buy-credits` },
    footnote: 'You get this message once for each time that you top up, and never while auto top-up is on.',
  }
}
