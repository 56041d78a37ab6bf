import { localPath } from '#lib/i18n/path.ts'
import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mails } from './payment-mail-texts.ts'

/** Sent when the held part of a payment was released after a review. @param added micro-dollars */
export function releaseEmail(publicUrl: string, added: number): EmailTemplate {
  const sum = formatBalance(added)
  return {
    subject: mails.releaseSubject({ sum }),
    preview: mails.releasePreview,
    heading: mails.releaseHeading({ sum }),
    paragraphs: [mails.releaseText],
    action: { label: mails.seeBilling, url: `${publicUrl}${localPath('/billing-history')}` },
    footnote: mails.releaseFootnote,
  }
}
