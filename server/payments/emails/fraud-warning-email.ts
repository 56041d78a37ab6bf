import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mails } from './payment-mail-texts.ts'
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
  const sum = formatBalance(refundMicroUsd)
  return {
    replyTo: company.supportEmail,
    subject: mails.fraudSubject({ sum }),
    preview: mails.fraudPreview,
    heading: mails.fraudHeading({ sum }),
    paragraphs: [payment.kind === 'gift' ? mails.fraudTextGift : mails.fraudText, mails.fraudNext],
    bill: {
      lines: [
        { what: mails.receipt, figure: formatReceipt(receipt, paid_at) },
        ...(card === null ? [] : [{ what: mails.paidWith, figure: card }]),
        { what: mails.youHadPaid, figure: formatBalance(payment.amount_micro_usd) },
      ],
      total: { what: mails.sentBack, figure: sum },
    },
    action: { label: mails.seeBilling, url: `${publicUrl}${localPath('/billing-history')}` },
    footnote: mails.fraudFootnote,
  }
}
