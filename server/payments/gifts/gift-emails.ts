import { company } from '#lib/company.ts'
import { formatGiftCode } from '#lib/money/gift-code.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { PaidPayment } from '../emails/receipt-email.ts'

interface Addressed {
  /** Null once the buyer has deleted the account. */
  readonly to_name: string | null
}

/** Isolated (U+2068, U+2069), so that a right-to-left name does not reorder the line. */
const isolated = (name: string) => `\u2068${name}\u2069`
const toOf = ({ to_name: name }: Addressed) => isolated(name ?? 'somebody')

/** @param name the buyer's; null without one */
export function giftReceiptEmail(
  publicUrl: string,
  payment: PaidPayment,
  gift: Addressed,
  name: string | null,
): EmailTemplate & { readonly replyTo: string } {
  const { receipt, paid_at, amount_micro_usd: amountMicroUsd, card_brand, card_last4, held } = payment
  if (receipt === null || paid_at === null) throw new Error('a payment that was not paid has no receipt')
  const paid = formatBalance(amountMicroUsd)
  const to = toOf(gift)
  return {
    replyTo: company.supportEmail,
    subject: `Your receipt, ${paid} for ${to}`,
    preview: held > 0 ? 'We need to review the payment first.' : 'The envelope is ready to print or pass on.',
    heading: held > 0 ? 'Thank you for your payment' : `Your booklet for ${to} is ready`,
    paragraphs:
      held > 0
        ? [
            "We need to review this payment before the booklet works. We'll e-mail you when it does. If we can't release it, the money goes back to the card.",
          ]
        : [
            "You'll find the envelope and its code under Send a line. Print it, or copy its link, as often as you like.",
            "The credits never expire. Until they're redeemed, you can get your money back.",
          ],
    bill: {
      lines: [
        { what: 'Receipt', figure: formatReceipt(receipt, paid_at) },
        ...(name === null ? [] : [{ what: 'Billed to', figure: isolated(name) }]),
        ...(card_brand === null || card_last4 === null
          ? []
          : [{ what: 'Paid with', figure: formatCard(card_brand, card_last4) }]),
        { what: `Booklet for ${to}`, figure: paid },
      ],
      total: { what: 'You paid', figure: paid },
    },
    action: { label: 'See your booklets', url: `${publicUrl}/send-a-line` },
    footnote: `You're getting this e-mail because you bought a booklet of ${company.name} credits.`,
  }
}

/** To the buyer, after a review. @param amountMicroUsd what the booklet is worth */
export function giftReadyEmail(publicUrl: string, gift: Addressed, amountMicroUsd: number): EmailTemplate {
  const figure = formatBalance(amountMicroUsd)
  return {
    subject: `Your booklet for ${toOf(gift)} is ready`,
    preview: `${figure} of credits is waiting to be redeemed.`,
    heading: `Your booklet for ${toOf(gift)} is ready`,
    paragraphs: [
      `We've reviewed your payment, and everything is fine. The booklet of ${figure} works now. Print the envelope, or copy its link and pass it on.`,
    ],
    action: { label: 'See your booklets', url: `${publicUrl}/send-a-line` },
    footnote: 'You got a receipt when you paid.',
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

/** To the recipient, whom we do not know: it says who sent it, why it came, and what to do if it is not for them. */
export function envelopeEmail(envelope: Envelope): EmailTemplate & { readonly replyTo: string } {
  const { fromName, toName, message, amountMicroUsd, code, link } = envelope
  const figure = formatBalance(amountMicroUsd)
  const from = isolated(fromName)
  return {
    replyTo: company.supportEmail,
    subject: `${from} sent you a line: ${figure} for calls`,
    preview: `A booklet of ${figure} to call any phone from your browser.`,
    heading: `${isolated(toName)}, ${from} sent you a line`,
    paragraphs: [
      ...(message === '' ? [] : [`“${isolated(message)}”`]),
      `${from} bought you ${figure} of ${company.name} credits. With them you can call any phone, abroad or at home, from the browser on your computer or phone. The credits never expire.`,
      'Open the link, sign up with your e-mail address, and the credits are in your balance. It takes two minutes and no card.',
    ],
    bill: {
      lines: [
        { what: 'From', figure: from },
        { what: 'Your code', figure: formatGiftCode(code) },
      ],
      total: { what: 'Credits', figure },
    },
    action: { label: 'Redeem your credits', url: link },
    footnote: `${from} gave us your address for this one e-mail. We keep it only to show ${from} where it went, until the credits are redeemed, and we won't write to you again. Not for you? Ignore this e-mail, or reply and we'll delete your address.`,
  }
}

/** To the buyer. @param amountMicroUsd what was redeemed */
export function giftRedeemedEmail(publicUrl: string, gift: Addressed, amountMicroUsd: number): EmailTemplate {
  const figure = formatBalance(amountMicroUsd)
  return {
    subject: `Your booklet for ${toOf(gift)} was redeemed`,
    preview: `${figure} of credits has arrived.`,
    heading: 'Your line has arrived',
    paragraphs: [
      `The booklet of ${figure} that you sent to ${toOf(gift)} was redeemed just now. Keep your phone close: it may ring soon.`,
    ],
    action: { label: 'See your booklets', url: `${publicUrl}/send-a-line` },
    footnote: 'We send this e-mail once for each booklet you buy.',
  }
}
