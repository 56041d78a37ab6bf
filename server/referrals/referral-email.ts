import { localPath } from '#lib/i18n/path.ts'
import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../mail/layout.ts'
import { mail } from './referral-texts.ts'

/** Never says who earned the reward. @param reward micro-dollars */
export function referralEmail(publicUrl: string, reward: number): EmailTemplate {
  const sum = formatBalance(reward)
  return {
    subject: mail.subject({ sum }),
    preview: mail.preview,
    heading: mail.heading({ sum }),
    paragraphs: [mail.text],
    action: { label: mail.seeReferrals, url: `${publicUrl}${localPath('/referrals')}` },
    footnote: mail.footnote,
  }
}
