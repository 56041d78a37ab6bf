import { formatBalance } from '#lib/rules/money.ts'
import type { Letter } from './layout.ts'

/** Tells somebody that a person who came by their link has paid, and what it earned them. Never who. @param reward micro-dollars */
export function referralLetter(publicUrl: string, reward: number): Letter {
  const amount = formatBalance(reward)
  return {
    subject: `You earned ${amount} of credits`,
    preview: 'Somebody you referred has bought credits.',
    heading: `${amount} of credits, with our thanks`,
    paragraphs: [
      'Somebody who came by your link has bought credits, so your reward is on your balance. It is spent like all credits and never expires.',
    ],
    action: { label: 'See your referrals', url: `${publicUrl}/referrals` },
    footnote:
      'You get this message once for each person. If their payment is refunded or disputed, the reward is taken back.',
  }
}
