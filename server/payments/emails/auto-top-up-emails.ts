import { company } from '#lib/company.ts'
import { localPath } from '#lib/i18n/path.ts'
import { lowBalanceMicroUsd } from '#lib/money/balance.ts'
import { reviewAboveUsd } from '#lib/money/credits.ts'
import { dollarsText, formatBalance } from '#lib/money/money.ts'
import { formatCard } from '#lib/money/receipts.ts'
import type { EmailTemplate } from '../../mail/layout.ts'
import type { CardRejection } from '../../payment-provider/port.ts'
import { mails } from './auto-top-up-mail-texts.ts'
import { type PaidPayment, receiptEmail } from './receipt-email.ts'

/** A failed charge of the saved card. Money in micro-dollars. */
export interface FailedTopUp {
  readonly amountMicroUsd: number
  readonly card: { readonly brand: string; readonly last4: string }
  readonly balance: number
  readonly reason: CardRejection | 'unreachable'
  readonly paused: boolean
}

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
    subject: mails.receiptSubject({ paid }),
    paragraphs: [mails.receiptText({ paid, low: formatBalance(lowBalanceMicroUsd) }), ...receipt.paragraphs],
  }
}

export function failedTopUpEmail(
  publicUrl: string,
  { amountMicroUsd, card, balance, reason, paused }: FailedTopUp,
): EmailTemplate {
  return {
    subject: failedSubject(reason, paused),
    preview: mails.preview({ reason }),
    heading: mails.heading({ reason }),
    paragraphs: [
      mails.failedText({
        reason,
        low: formatBalance(lowBalanceMicroUsd),
        sum: formatBalance(amountMicroUsd),
        card: formatCard(card.brand, card.last4),
        balance: formatBalance(balance),
      }),
      whatNext(reason, paused),
    ],
    action: { label: mails.buyCredits, url: `${publicUrl}${localPath('/buy-credits')}` },
    footnote: mails.failedFootnote({ company: company.name }),
  }
}

function failedSubject(reason: FailedTopUp['reason'], paused: boolean): string {
  if (!paused) return mails.failedSubject
  return reason === 'card_gone' ? mails.offSubject : mails.pausedSubject
}

function whatNext(reason: FailedTopUp['reason'], paused: boolean): string {
  if (reason === 'card_gone') return mails.nextOff
  if (paused) return mails.nextPaused
  if (reason === 'unreachable') return mails.nextUnreachable
  return reason === 'authentication_required' ? mails.nextApprove : mails.nextDeclined
}

/** @param balance micro-dollars @param why `limit`: the max number of charges; `review`: all of it would be held */
export function autoTopUpLimitEmail(
  publicUrl: string,
  balance: number,
  why: 'limit' | 'review',
): EmailTemplate {
  const left = formatBalance(balance)
  return {
    subject: mails.limitSubject,
    preview: mails.limitPreview,
    heading: mails.limitHeading,
    paragraphs:
      why === 'review'
        ? [
            mails.limitReview({ balance: left, sum: dollarsText(String(reviewAboveUsd)) }),
            mails.keepWriting({ support: company.supportEmail }),
          ]
        : [mails.limitOften({ balance: left }), mails.keepBuying],
    action: { label: mails.buyCredits, url: `${publicUrl}${localPath('/buy-credits')}` },
    footnote: mails.limitFootnote({ company: company.name }),
  }
}
