import { company } from '#lib/company.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard, formatReceipt } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { PaymentRow } from '../rows.ts'

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

const dateFormat = new Intl.DateTimeFormat('en-GB', {
  dateStyle: 'long',
  timeStyle: 'short',
  timeZone: 'UTC',
})

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
    subject: `Your receipt, ${paid}`,
    preview: `${atOnce} of credits ${waiting === 0 ? 'is' : 'is already'} in your balance.`,
    heading:
      waiting === amountMicroUsd + bonus
        ? 'Thank you for your payment'
        : `Thank you. ${atOnce} is in your balance`,
    paragraphs: [
      ...(waiting === 0 ? [] : [heldText(formatBalance(waiting), payment.held_for)]),
      'Credits never expire.',
    ],
    bill: {
      lines: [
        { what: 'Receipt', figure: formatReceipt(receipt, paid_at) },
        { what: 'Date', figure: `${dateFormat.format(paid_at).replace(' at ', ', ')} UTC` },
        // Isolated (U+2068, U+2069), so that a right-to-left name does not reorder the line.
        ...(name === null ? [] : [{ what: 'Billed to', figure: `\u2068${name}\u2069` }]),
        ...(card_brand === null || card_last4 === null
          ? []
          : [{ what: 'Paid with', figure: formatCard(card_brand, card_last4) }]),
        { what: 'Credits', figure: paid },
        ...(bonus === 0 ? [] : [{ what: 'Bonus credits', figure: `+${formatBalance(bonus)}` }]),
      ],
      total: { what: 'You paid', figure: paid },
    },
    action: { label: 'See your receipt', url: `${publicUrl}/receipt?id=${payment.id}` },
    footnote:
      'Not what you wanted? You can get your money back within 7 days: use Refund in your billing history, or reply to this e-mail.',
  }
}

function heldText(figure: string, heldFor: PaidPayment['held_for']): string {
  const why =
    heldFor === 'card'
      ? 'This card has paid for several accounts lately, so we review the payment first'
      : 'We review anything over $500 in a day'
  return `${figure} of credits will arrive after a short review. ${why}. We'll e-mail you when it's there. If we can't release it, the money goes back to your card.`
}
