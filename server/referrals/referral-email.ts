import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../mail/layout.ts'

/** Never says who earned the reward. @param reward micro-dollars */
export function referralEmail(publicUrl: string, reward: number): EmailTemplate {
  const figure = formatBalance(reward)
  return {
    subject: `You earned ${figure} of credits`,
    preview: 'Somebody you referred has bought credits.',
    heading: `${figure} of credits, with our thanks`,
    paragraphs: [
      'Somebody who came by your link bought credits, and the time to ask for a refund is over. So your reward is on your balance. You can call with it, and it never expires.',
    ],
    action: { label: 'See your referrals', url: `${publicUrl}/referrals` },
    footnote: 'You get this message once for each person.',
  }
}
