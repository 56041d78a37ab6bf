import type { ReferralState } from '#lib/api/referrals.ts'
import { dateFormat } from '#lib/i18n/date-format.ts'
import { formatBalance, usdToMicroUsd } from '#lib/money/money.ts'

/** A referral's state: where the reward is, or why there is none. */
export const stateText: Readonly<Record<ReferralState, string>> = {
  joined: 'Joined, no payment yet',
  pending: 'Bought credits',
  in_review: 'Payment under review',
  paid: 'Reward given',
  returned: 'No reward: payment returned',
  own: 'No reward: your own card, device or mailbox',
  repeated: 'No reward: card or mailbox already counted',
  over_cap: 'No reward: monthly limit reached',
  gone: 'No reward: account deleted',
}

const days = dateFormat({ day: 'numeric', month: 'short', year: 'numeric' })

export function day(time: string): string {
  return days(new Date(time))
}

export function shortUsd(usd: number): string {
  return formatBalance(usdToMicroUsd(usd)).replace('.00', '')
}
