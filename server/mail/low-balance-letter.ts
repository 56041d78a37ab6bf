import { formatBalance } from '#lib/rules/money.ts'
import type { Letter } from './layout.ts'

/** Tells somebody after a call that little is left. @param balance micro-dollars */
export function lowBalanceLetter(publicUrl: string, balance: number): Letter {
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
