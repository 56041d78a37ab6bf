import type { TransferKind } from '#lib/api/transfers.ts'
import { formatBalance } from '#lib/money/money.ts'
import { labels } from './transfer-label-texts.ts'

/** Keys are chosen by the posting code: `call:<id>:<minute>`, `payment:<id>`, `refund:<ref>:failed` and so on. */
export function transferKindOf(key: string, isAutoTopUp: boolean): TransferKind {
  const [cause = ''] = key.split(':', 1)
  switch (cause) {
    case 'payment':
      return isAutoTopUp ? 'auto_topup' : 'payment'
    case 'bonus':
      return 'bonus'
    case 'release':
      return 'released'
    case 'call':
      return key.includes(':settlement') ? 'call_settled' : 'call'
    case 'credit':
      return 'call_credit'
    case 'refund':
      return key.includes(':failed') ? 'refund_failed' : 'refund'
    case 'release-bonus':
      return 'refund'
    case 'dispute':
      return key.includes(':won') ? 'dispute_won' : 'dispute'
    case 'referral':
      return 'referral'
    case 'gift':
    case 'held':
      return 'gift'
    case 'gift_redeem':
      return 'gift_received'
    default:
      return 'adjustment'
  }
}

/** What a transfer of a booklet says of it. Null names: the buyer has deleted the account. */
export interface GiftOfTransfer {
  readonly toName: string | null
  readonly fromName: string | null
  /** Micro-dollars paid. */
  readonly paidMicroUsd: number
  /** Micro-dollars that moved without touching the user's balance; null if they touched it. */
  readonly besideMicroUsd: number | null
}

/** @param key gives the minute of a call, and whether a refund is of a bonus */
export function transferLabel(
  kind: TransferKind,
  key: string,
  amountMicroUsd: number,
  gift: GiftOfTransfer | null = null,
): string {
  const bonus = key.includes(':bonus') || key.startsWith('release-bonus:')
  const returned = gift?.besideMicroUsd ?? null
  const name = gift?.toName ?? labels.somebody
  switch (kind) {
    case 'payment':
      return labels.bought
    case 'auto_topup':
      return labels.autoTopUp
    case 'bonus':
      return labels.bonus
    case 'released':
      return labels.released
    case 'call':
      return labels.callMinute({ minute: key.split(':')[2] ?? '' })
    case 'call_settled':
      return amountMicroUsd > 0 ? labels.minuteReturned : labels.settled
    case 'call_credit':
      return labels.badCall
    case 'refund':
      if (returned !== null) return labels.refundGift({ name, sum: formatBalance(returned) })
      return bonus ? labels.refundBonus : labels.refund
    case 'refund_failed':
      if (returned !== null) return labels.refundFailedGift({ name })
      return bonus ? labels.bonusReturned : labels.refundFailed
    case 'dispute':
      if (returned !== null) return labels.disputeGift({ name, sum: formatBalance(returned) })
      return bonus ? labels.disputeBonus : labels.dispute
    case 'dispute_won':
      if (returned !== null) return labels.disputeGiftSettled({ name })
      return bonus ? labels.bonusReturned : labels.disputeSettled
    case 'referral':
      if (amountMicroUsd < 0) return labels.referralTaken
      return key.includes(':again:') ? labels.referralRestored : labels.referral
    case 'gift':
      return labels.giftFor({ name, sum: formatBalance(gift?.paidMicroUsd ?? 0) })
    case 'gift_received':
      return labels.giftFrom({ name: gift?.fromName ?? labels.somebody })
    case 'adjustment':
      return amountMicroUsd > 0 ? labels.supportCredit : labels.supportCorrection
  }
}
