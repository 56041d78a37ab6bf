import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { mails } from './payment-mail-texts.ts'
import type { PaidPayment } from './receipt-email.ts'

export function refundEmail(
  publicUrl: string,
  payment: PaidPayment,
  refund: { readonly amountMicroUsd: number; readonly state: 'succeeded' | 'failed' },
): EmailTemplate & { readonly replyTo: string } {
  const { receipt, paid_at, card_brand, card_last4 } = payment
  if (receipt === null || paid_at === null) throw new Error('a payment that was not paid has no refund')
  const sum = formatBalance(refund.amountMicroUsd)
  const card = card_brand === null || card_last4 === null ? null : formatCard(card_brand, card_last4)
  const sent = refund.state === 'succeeded'
  const isGift = payment.kind === 'gift'
  return {
    replyTo: company.supportEmail,
    ...(sent ? sentTexts(sum, isGift) : failedTexts(sum, isGift)),
    bill: {
      lines: [
        { what: mails.receipt, figure: formatReceipt(receipt, paid_at) },
        ...(card === null ? [] : [{ what: mails.paidWith, figure: card }]),
        { what: mails.youHadPaid, figure: formatBalance(payment.amount_micro_usd) },
      ],
      total: { what: sent ? mails.refunded : mails.notRefunded, figure: sum },
    },
    action: { label: mails.seeBilling, url: `${publicUrl}${localPath('/billing-history')}` },
    footnote: mails.refundFootnote,
  }
}

type Texts = Pick<EmailTemplate, 'subject' | 'preview' | 'heading' | 'paragraphs'>

function sentTexts(sum: string, isGift: boolean): Texts {
  return {
    subject: mails.refundSubject({ sum }),
    preview: mails.refundPreview,
    heading: mails.refundHeading({ sum }),
    paragraphs: [isGift ? mails.refundTextGift : mails.refundText],
  }
}

function failedTexts(sum: string, isGift: boolean): Texts {
  return {
    subject: mails.refundFailedSubject({ sum }),
    preview: isGift ? mails.refundFailedPreviewGift : mails.refundFailedPreview,
    heading: mails.refundFailedHeading,
    paragraphs: [isGift ? mails.refundFailedTextGift : mails.refundFailedText],
  }
}
