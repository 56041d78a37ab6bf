import { company } from '#lib/company.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { PaidPayment } from './receipt-email.ts'

/** Sent when we refunded a payment that the card's bank reported as fraud. @param refundMicroUsd what was refunded */
export function fraudWarningEmail(
  publicUrl: string,
  payment: PaidPayment,
  refundMicroUsd: number,
): EmailTemplate & { readonly replyTo: string } {
  const { receipt, paid_at, card_brand, card_last4 } = payment
  if (receipt === null || paid_at === null) throw new Error('a payment that was not paid cannot be reported')
  const card = card_brand === null || card_last4 === null ? null : formatCard(card_brand, card_last4)
  const refunded = formatBalance(refundMicroUsd)
  return {
    replyTo: company.supportEmail,
    subject: `We refunded your payment of ${refunded}`,
    preview: "The card's bank reported it as fraud.",
    heading: `${refunded} is on its way back to the card`,
    paragraphs: [
      `The card's bank reported this payment as fraud, so we refunded it, and your account can't make calls for now. ${payment.kind === 'gift' ? 'The code for the booklet you bought no longer works.' : 'Any credits left from this payment have been taken out of your balance.'}`,
      'If it was you who paid, let the bank know, then reply to this e-mail. Somebody on our team will look at it so you can call again.',
    ],
    bill: {
      lines: [
        { what: 'Receipt', figure: formatReceipt(receipt, paid_at) },
        ...(card === null ? [] : [{ what: 'Paid with', figure: card }]),
        { what: 'You had paid', figure: formatBalance(payment.amount_micro_usd) },
      ],
      total: { what: 'Sent back', figure: refunded },
    },
    action: { label: 'See your billing history', url: `${publicUrl}/billing-history` },
    footnote: "You're getting this e-mail because you bought credits with this card.",
  }
}
