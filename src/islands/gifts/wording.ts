import type { GiftRecord } from '#lib/api/gifts.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'

const dayFormat = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

export const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))
export const dayOf = (iso: string) => dayFormat(new Date(iso))

/** `$25`, and with cents only if there are some. For stamps. */
export function stampFigure(usd: number): string {
  return Number.isInteger(usd) ? `$${usd}` : dollars(usd)
}

/** What became of a booklet, in a few words. */
export function stateText(gift: GiftRecord): string {
  switch (gift.state) {
    case 'redeemed':
      return `Redeemed on ${dayOf(gift.redeemedAt ?? gift.paidAt)}`
    case 'ready':
      return 'Not redeemed yet'
    case 'in_review':
      return 'In review'
    case 'on_hold':
      return 'On hold'
    case 'refunding':
      return 'Refund pending'
    case 'refunded':
      return 'Refunded'
    case 'disputed':
      return 'Disputed'
    default:
      return gift.state satisfies never
  }
}

/** What the buyer should know of it beside its state; empty if nothing. */
export function aboutText(gift: GiftRecord): string {
  switch (gift.state) {
    case 'ready':
      if (gift.code === null)
        return 'We can no longer show its code. The envelope you have works; without it, ask for a refund.'
      if (gift.recipientEmail === null) return 'Print the envelope, or copy the link and pass it on.'
      return gift.mailed === true
        ? `Mailed to ${gift.recipientEmail}.`
        : `We couldn't mail it to ${gift.recipientEmail} that day. Copy the link and send it yourself.`
    case 'in_review':
      return "We're reviewing the payment. We'll e-mail you when the code works."
    case 'on_hold':
      return "Your account is restricted, so the code doesn't work. You can still get a refund."
    case 'disputed':
      return "Your bank is disputing the payment, so the code doesn't work."
    case 'redeemed':
    case 'refunding':
    case 'refunded':
      return ''
    default:
      return gift.state satisfies never
  }
}
