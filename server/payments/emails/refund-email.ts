import { company } from '#lib/company.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { PaidPayment } from './receipt-email.ts'

export function refundEmail(
  publicUrl: string,
  payment: PaidPayment,
  refund: { readonly amountMicroUsd: number; readonly state: 'succeeded' | 'failed' },
): EmailTemplate & { readonly replyTo: string } {
  const { receipt, paid_at, card_brand, card_last4 } = payment
  if (receipt === null || paid_at === null) throw new Error('a payment that was not paid has no refund')
  const figure = formatBalance(refund.amountMicroUsd)
  const card = card_brand === null || card_last4 === null ? null : formatCard(card_brand, card_last4)
  const sent = refund.state === 'succeeded'
  const isGift = payment.kind === 'gift'
  const back = isGift ? 'your booklet works again' : 'your credits are back in your balance'
  return {
    replyTo: company.supportEmail,
    subject: sent ? `Your refund, ${figure}` : `Your refund of ${figure} didn't go through`,
    preview: sent ? 'The money is on its way to your card.' : `So ${back}.`,
    heading: sent ? `${figure} is on its way back` : "Your refund didn't go through",
    paragraphs: [
      sent
        ? `Your bank may need a few days to show it. ${isGift ? "The booklet's code no longer works." : 'Bonus credits that came with the refunded part have been taken out of your balance.'}`
        : `Your bank didn't accept the refund, so ${back}. Reply to this e-mail and we'll find another way.`,
    ],
    bill: {
      lines: [
        { what: 'Receipt', figure: formatReceipt(receipt, paid_at) },
        ...(card === null ? [] : [{ what: 'Paid with', figure: card }]),
        { what: 'You had paid', figure: formatBalance(payment.amount_micro_usd) },
      ],
      total: { what: sent ? 'Refunded' : 'Not refunded', figure },
    },
    action: { label: 'See your billing history', url: `${publicUrl}/billing-history` },
    footnote: "You're getting this e-mail because you asked for a refund in your billing history.",
  }
}
