import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { formatGiftCode } from '#lib/money/gift-code.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { PaidPayment } from '../emails/receipt-email.ts'
import { mails } from './gift-mail-texts.ts'

interface Addressed {
  /** Null once the buyer has deleted the account. */
  readonly to_name: string | null
}

/** Isolated (U+2068, U+2069), so that a right-to-left name does not reorder the line. */
const isolated = (name: string) => `\u2068${name}\u2069`
const toOf = ({ to_name: name }: Addressed) => isolated(name ?? mails.somebody)

/** @param billedTo the buyer's name; null without one */
export function giftReceiptEmail(
  publicUrl: string,
  payment: PaidPayment,
  gift: Addressed,
  billedTo: string | null,
): EmailTemplate & { readonly replyTo: string } {
  const { receipt, paid_at, amount_micro_usd: amountMicroUsd, card_brand, card_last4, held } = payment
  if (receipt === null || paid_at === null) throw new Error('a payment that was not paid has no receipt')
  const paid = formatBalance(amountMicroUsd)
  const name = toOf(gift)
  return {
    replyTo: company.supportEmail,
    subject: mails.receiptSubject({ paid, name }),
    preview: held > 0 ? mails.heldPreview : mails.readyToPrint,
    heading: held > 0 ? mails.thanks : mails.ready({ name }),
    paragraphs: held > 0 ? [mails.heldText] : [mails.where, mails.untilRedeemed],
    bill: {
      lines: [
        { what: mails.receipt, figure: formatReceipt(receipt, paid_at) },
        ...(billedTo === null ? [] : [{ what: mails.billedTo, figure: isolated(billedTo) }]),
        ...(card_brand === null || card_last4 === null
          ? []
          : [{ what: mails.paidWith, figure: formatCard(card_brand, card_last4) }]),
        { what: mails.bookletFor({ name }), figure: paid },
      ],
      total: { what: mails.youPaid, figure: paid },
    },
    action: { label: mails.seeBooklets, url: `${publicUrl}${localPath('/send-a-line')}` },
    footnote: mails.boughtFootnote({ company: company.name }),
  }
}

/** To the buyer, after a review. @param amountMicroUsd what the booklet is worth */
export function giftReadyEmail(publicUrl: string, gift: Addressed, amountMicroUsd: number): EmailTemplate {
  const sum = formatBalance(amountMicroUsd)
  return {
    subject: mails.ready({ name: toOf(gift) }),
    preview: mails.waiting({ sum }),
    heading: mails.ready({ name: toOf(gift) }),
    paragraphs: [mails.reviewed({ sum })],
    action: { label: mails.seeBooklets, url: `${publicUrl}${localPath('/send-a-line')}` },
    footnote: mails.reviewedFootnote,
  }
}

export interface Envelope {
  readonly fromName: string
  readonly toName: string
  readonly message: string
  readonly amountMicroUsd: number
  /** Without its groups. */
  readonly code: string
  /** With the code in its fragment. */
  readonly link: string
}

/**
 * To the recipient, whom we do not know: it says who sent it, why it came, whose words these are, and what to do if it is not for
 * them. Its subject is ours alone, since anybody can write a name.
 */
export function envelopeEmail(envelope: Envelope): EmailTemplate & { readonly replyTo: string } {
  const { fromName, toName, message, amountMicroUsd, code, link } = envelope
  const sum = formatBalance(amountMicroUsd)
  const from = isolated(fromName)
  return {
    replyTo: company.supportEmail,
    subject: mails.envelopeSubject({ sum }),
    preview: mails.envelopePreview({ sum }),
    heading: mails.envelopeHeading({ to: isolated(toName), from }),
    paragraphs: [
      ...(message === '' ? [] : [mails.message({ name: from, message: isolated(message) })]),
      mails.envelopeText({ from, sum, company: company.name }),
      mails.envelopeHow,
    ],
    bill: {
      lines: [
        { what: mails.from, figure: from },
        { what: mails.yourCode, figure: formatGiftCode(code) },
      ],
      total: { what: mails.credits, figure: sum },
    },
    action: { label: mails.redeem, url: link },
    footnote: mails.envelopeFootnote({ name: from }),
  }
}

/** To the buyer. @param amountMicroUsd what was redeemed */
export function giftRedeemedEmail(publicUrl: string, gift: Addressed, amountMicroUsd: number): EmailTemplate {
  const sum = formatBalance(amountMicroUsd)
  return {
    subject: mails.redeemedSubject({ name: toOf(gift) }),
    preview: mails.redeemedPreview({ sum }),
    heading: mails.redeemedHeading,
    paragraphs: [mails.redeemedText({ sum, name: toOf(gift) })],
    action: { label: mails.seeBooklets, url: `${publicUrl}${localPath('/send-a-line')}` },
    footnote: mails.redeemedFootnote,
  }
}
