import { company } from '#lib/company.ts'
import { reviewAboveUsd } from '#lib/money/credits.ts'
import { formatBalance } from '#lib/money/money.ts'
import { formatCard } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { CardRejection } from '../../payment-provider/port.ts'
import { type PaidPayment, receiptEmail } from './receipt-email.ts'

/** A failed charge of the saved card. Money in micro-dollars. */
export interface FailedTopUp {
  readonly amountMicroUsd: number
  readonly card: { readonly brand: string; readonly last4: string }
  readonly balance: number
  readonly reason: CardRejection | 'unreachable'
  readonly paused: boolean
}

const switchOff = 'You can turn auto top-up off on Buy Credits at any time.'

/** The receipt of an automatic payment: says why the card was charged. */
export function autoTopUpReceipt(
  publicUrl: string,
  payment: PaidPayment,
  name: string | null,
): EmailTemplate & { readonly replyTo: string } {
  const receipt = receiptEmail(publicUrl, payment, name)
  const paid = formatBalance(payment.amount_micro_usd)
  return {
    ...receipt,
    subject: `Auto top-up: your receipt, ${paid}`,
    paragraphs: [
      `Your balance fell to $2.00 or less, so we charged your saved card ${paid}, as you asked. ${switchOff}`,
      ...receipt.paragraphs,
    ],
  }
}

const headings: Readonly<Record<FailedTopUp['reason'], string>> = {
  declined: 'Your card was declined',
  authentication_required: 'Your bank wants you to approve the payment',
  card_gone: "We can't charge your saved card any more",
  unreachable: "Your credits weren't topped up",
}

export function failedTopUpEmail(
  publicUrl: string,
  { amountMicroUsd, card, balance, reason, paused }: FailedTopUp,
): EmailTemplate {
  const charge = `${formatBalance(amountMicroUsd)} to your ${formatCard(card.brand, card.last4)}`
  return {
    subject: paused
      ? `Auto top-up is ${reason === 'card_gone' ? 'off' : 'paused'}`
      : "Auto top-up didn't work",
    preview: `${headings[reason]}. No credits were added.`,
    heading: headings[reason],
    paragraphs: [
      `Your balance fell to $2.00 or less, so we tried to charge ${charge}. ${why(reason)} No credits were added: your balance was ${formatBalance(balance)}. A call goes on for as long as your balance covers it.`,
      whatNext(reason, paused),
    ],
    action: { label: 'Buy credits', url: `${publicUrl}/buy-credits` },
    footnote: `You're getting this e-mail because auto top-up was on for your ${company.name} account.`,
  }
}

function why(reason: FailedTopUp['reason']): string {
  switch (reason) {
    case 'declined':
      return 'Your bank declined it.'
    case 'authentication_required':
      return "Your bank wants you to approve it yourself, and we can't do that for you."
    case 'card_gone':
      return 'The card is no longer available to charge.'
    case 'unreachable':
      return "We couldn't reach our payment provider. If your card was charged after all, the credits and a receipt will follow."
  }
}

function whatNext(reason: FailedTopUp['reason'], paused: boolean): string {
  if (reason === 'card_gone') {
    return 'Auto top-up is off now. Buy credits with auto top-up turned on, and that purchase saves your card again.'
  }
  if (paused) {
    return "It failed last time as well, so auto top-up is paused and we won't try again. Talk to your bank, then turn it on again on Buy Credits. To use another card, turn it on and buy credits with that one."
  }
  if (reason === 'unreachable') return `Buy credits to keep calling. ${switchOff}`
  const approve = reason === 'authentication_required' ? ' Your bank will ask you to approve it there.' : ''
  return `Buy credits to keep calling.${approve} Otherwise we'll try once more when a call needs it, in an hour at the earliest. ${switchOff}`
}

/** @param balance micro-dollars @param why `limit`: the max number of charges; `review`: all of it would be held */
export function autoTopUpLimitEmail(
  publicUrl: string,
  balance: number,
  why: 'limit' | 'review',
): EmailTemplate {
  const often =
    "To protect your card, we charge it at most once a day while you're new here, and at most once an hour and three times a day after your first week and your first $25. You've reached that limit, so we didn't charge your card this time."
  const review = `You bought $${reviewAboveUsd} of credits or more within a day, and we review anything over that. This whole top-up would have needed a review, so we didn't charge your card.`
  return {
    subject: 'Auto top-up has reached its limit for now',
    preview: 'Your card was not charged. Auto top-up stays on.',
    heading: 'Auto top-up has reached its limit',
    paragraphs: [
      `Your balance is ${formatBalance(balance)}. ${why === 'review' ? review : often}`,
      `${why === 'review' ? `Write to ${company.supportEmail}` : 'Buy credits'} to keep calling. Auto top-up stays on.`,
    ],
    action: { label: 'Buy credits', url: `${publicUrl}/buy-credits` },
    footnote: `You're getting this e-mail because auto top-up is on for your ${company.name} account. We send it at most once a day.`,
  }
}
