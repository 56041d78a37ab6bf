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
      'Somebody who signed up through your link bought credits, and their payment can no longer be refunded. Your reward is in your balance now. Use it for calls; it never expires.',
    ],
    action: { label: 'See your referrals', url: `${publicUrl}/referrals` },
    footnote: 'We send this e-mail once for each person you refer.',
  }
}
