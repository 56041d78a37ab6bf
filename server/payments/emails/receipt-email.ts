import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import { inUtc } from '../../mail/utc-time.ts'
import type { PaymentRow } from '../rows.ts'
import { mails } from './payment-mail-texts.ts'

/** The part of a paid payment that its receipt shows. Money in micro-dollars. */
export interface PaidPayment {
  readonly id: string
  readonly kind: PaymentRow['kind']
  readonly amount_micro_usd: number
  readonly bonus: number
  /** Held for a review, excluding the bonus, which is held with it. */
  readonly held: number
  readonly held_for: 'amount' | 'card' | null
  readonly receipt: number | null
  readonly paid_at: Date | null
  readonly card_brand: string | null
  readonly card_last4: string | null
}

/** Its buyer may reply to it. @param name the buyer's; null if unknown */
export function receiptEmail(
  publicUrl: string,
  payment: PaidPayment,
  name: string | null,
): EmailTemplate & { readonly replyTo: string } {
  const { receipt, paid_at, amount_micro_usd: amountMicroUsd, bonus, held, card_brand, card_last4 } = payment
  if (receipt === null || paid_at === null) throw new Error('a payment that was not paid has no receipt')
  const waiting = held === 0 ? 0 : held + bonus
  const atOnce = formatBalance(amountMicroUsd + bonus - waiting)
  const paid = formatBalance(amountMicroUsd)
  return {
    replyTo: company.supportEmail,
    subject: mails.receiptSubject({ paid }),
    preview:
      waiting === 0 ? mails.receiptPreview({ sum: atOnce }) : mails.receiptPreviewHeld({ sum: atOnce }),
    heading: waiting === amountMicroUsd + bonus ? mails.thanks : mails.thanksAdded({ sum: atOnce }),
    paragraphs: [
      ...(waiting === 0 ? [] : [heldText(formatBalance(waiting), payment.held_for)]),
      mails.neverExpire,
    ],
    bill: {
      lines: [
        { what: mails.receipt, figure: formatReceipt(receipt, paid_at) },
        { what: mails.date, figure: inUtc(paid_at).replace(' at ', ', ') },
        // Isolated (U+2068, U+2069), so that a right-to-left name does not reorder the line.
        ...(name === null ? [] : [{ what: mails.billedTo, figure: `\u2068${name}\u2069` }]),
        ...(card_brand === null || card_last4 === null
          ? []
          : [{ what: mails.paidWith, figure: formatCard(card_brand, card_last4) }]),
        { what: mails.credits, figure: paid },
        ...(bonus === 0 ? [] : [{ what: mails.bonus, figure: `+${formatBalance(bonus)}` }]),
      ],
      total: { what: mails.youPaid, figure: paid },
    },
    action: { label: mails.seeReceipt, url: `${publicUrl}${localPath(`/receipt?id=${payment.id}`)}` },
    footnote: mails.receiptFootnote,
  }
}

function heldText(sum: string, heldFor: PaidPayment['held_for']): string {
  return heldFor === 'card' ? mails.heldCard({ sum }) : mails.heldAmount({ sum })
}
