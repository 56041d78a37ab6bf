import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** Sent when the held part of a payment was released after a review. @param added micro-dollars */
export function releaseEmail(publicUrl: string, added: number): EmailTemplate {
  const figure = formatBalance(added)
  return {
    subject: `${figure} of credits added after our review`,
    preview: 'The rest of your payment is on your balance.',
    heading: `${figure} of credits are on your balance`,
    paragraphs: [
      'We have looked at your payment, and all is well. The credits that waited for it, and the bonus if one came with them, are yours now. They never expire.',
    ],
    action: { label: 'See your billing history', url: `${publicUrl}/billing-history` },
    footnote: 'You got a receipt for the whole payment when you made it.',
  }
}
