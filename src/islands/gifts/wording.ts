import type { GiftRecord } from '#lib/api/gifts.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'
import { texts } from './texts.ts'

const dayFormat = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

export const dollars = (usd: number) => formatBalance(usdToMicroUsd(usd))
export const dayOf = (iso: string) => dayFormat(new Date(iso))

/** What became of a booklet, in a few words. */
export function stateText(gift: GiftRecord): string {
  switch (gift.state) {
    case 'redeemed':
      return texts.redeemedOn({ day: dayOf(gift.redeemedAt ?? gift.paidAt) })
    case 'ready':
      return texts.ready
    case 'in_review':
      return texts.inReview
    case 'on_hold':
      return texts.onHold
    case 'refunding':
      return texts.refunding
    case 'refunded':
      return texts.refunded
    case 'disputed':
      return texts.disputed
    default:
      return gift.state satisfies never
  }
}

/** What the buyer should know of it beside its state; empty if nothing. */
export function aboutText(gift: GiftRecord): string {
  switch (gift.state) {
    case 'ready':
      if (gift.code === null) return texts.aboutNoCode
      if (gift.recipientEmail === null) return texts.aboutReady
      return gift.mailed === true
        ? texts.aboutMailed({ email: gift.recipientEmail })
        : texts.aboutNotMailed({ email: gift.recipientEmail })
    case 'in_review':
      return texts.aboutInReview
    case 'on_hold':
      return texts.aboutOnHold
    case 'disputed':
      return texts.aboutDisputed
    case 'redeemed':
    case 'refunding':
    case 'refunded':
      return ''
    default:
      return gift.state satisfies never
  }
}
