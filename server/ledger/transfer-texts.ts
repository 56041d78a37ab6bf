import type { TransferKind } from '#lib/api/transfers.ts'
import { formatBalance } from '#lib/money/money.ts'

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
  const giftText = `the gift for ${gift?.toName ?? 'somebody'}`
  switch (kind) {
    case 'payment':
      return 'Credits bought'
    case 'auto_topup':
      return 'Auto top-up'
    case 'bonus':
      return 'Bonus credits'
    case 'released':
      return 'Credits released after review'
    case 'call':
      return `Call, minute ${key.split(':')[2] ?? ''}`
    case 'call_settled':
      return amountMicroUsd > 0 ? 'Call, minute returned' : 'Call, settled'
    case 'call_credit':
      return 'Bad call, refunded'
    case 'refund':
      if (returned !== null) return `Refund of ${giftText}, ${formatBalance(returned)} to your card`
      return bonus ? 'Bonus of a refunded payment' : 'Refund to your card'
    case 'refund_failed':
      if (returned !== null) return `Refund of ${giftText} did not go through`
      return bonus ? 'Bonus returned' : 'Refund did not go through'
    case 'dispute':
      if (returned !== null) return `Disputed payment of ${giftText}, ${formatBalance(returned)}`
      return bonus ? 'Bonus of a disputed payment' : 'Disputed payment'
    case 'dispute_won':
      if (returned !== null) return `Dispute of ${giftText} settled`
      return bonus ? 'Bonus returned' : 'Dispute settled'
    case 'referral':
      if (amountMicroUsd < 0) return 'Referral reward taken back'
      return key.includes(':again:') ? 'Referral reward restored' : 'Referral reward'
    case 'gift':
      return `Gift for ${gift?.toName ?? 'somebody'}, ${formatBalance(gift?.paidMicroUsd ?? 0)} by card`
    case 'gift_received':
      return `Gift from ${gift?.fromName ?? 'somebody'}`
    case 'adjustment':
      return amountMicroUsd > 0 ? 'Credit from support' : 'Correction by support'
  }
}
