import { localPath } from '#lib/i18n/path.ts'
import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mail } from './low-balance-texts.ts'

/** Sent after a call that left a low balance. @param balance micro-dollars */
export function lowBalanceEmail(publicUrl: string, balance: number): EmailTemplate {
  const left = formatBalance(balance)
  return {
    subject: balance === 0 ? mail.usedUp : mail.runningLow,
    preview: mail.preview,
    heading: balance === 0 ? mail.usedUp : mail.left({ left }),
    paragraphs: [mail.lastCall({ left }), mail.autoTopUp],
    action: { label: mail.buyCredits, url: `${publicUrl}${localPath('/buy-credits')}` },
    footnote: mail.footnote,
  }
}
