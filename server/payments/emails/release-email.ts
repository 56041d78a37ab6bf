import { formatBalance } from '#lib/money/money.ts'
import type { EmailTemplate } from '../../mail/layout.ts'

/** Sent when the held part of a payment was released after a review. @param added micro-dollars */
export function releaseEmail(publicUrl: string, added: number): EmailTemplate {
  const figure = formatBalance(added)
  return {
    subject: `${figure} of credits added after our review`,
    preview: 'The rest of your payment is in your balance.',
    heading: `${figure} of credits is in your balance`,
    paragraphs: [
      "We've reviewed your payment, and everything is fine. The rest of your credits, and their bonus if there was one, are now in your balance. They never expire.",
    ],
    action: { label: 'See your billing history', url: `${publicUrl}/billing-history` },
    footnote: 'You got a receipt for the whole payment when you made it.',
  }
}
