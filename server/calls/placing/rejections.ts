import { endReasonTexts } from '#lib/calls/end-reasons.ts'
import { formatCharge, formatRate } from '#lib/money/money.ts'
import { spendingTexts } from '#lib/money/spending.ts'
import { emergencyMessage } from '#lib/numbers/emergency.ts'
import { unrecognisedMessage, unsupportedMessage } from '#lib/numbers/phone.ts'
import { minuteMs } from '#lib/time.ts'
import type { CallPolicy, Tier } from '../../config/policy.ts'
import type { BudgetSpent } from '../../limits/reserve.ts'
import type { RejectionCode } from '../../telephony/port.ts'
import type { Destination } from './destination.ts'

/** Message to the user for each rejection, in the words of SPEC-8.3 to SPEC-8.14 where they fit. */
export const rejectionMessage: Readonly<Record<RejectionCode, string>> = {
  invalid_number: unrecognisedMessage,
  unsupported_destination: unsupportedMessage,
  emergency_number: emergencyMessage,
  no_credits: endReasonTexts.start_no_credits,
  call_blocked: endReasonTexts.call_blocked,
  signed_out: 'This device was signed out. Log in again to call.',
  email_unverified: endReasonTexts.email_unverified,
  too_many_calls: 'You already have a call in progress. Hang up there first.',
  caller_id_not_verified: "That caller ID isn't verified for your account. Choose another one and try again.",
  free_call_limit:
    'Too many free calls lately from your connection or to this number. Buy credits to call now.',
  not_free: notFree('This call would not be free.'),
  price_changed: 'The price of this call has changed. Look at it, then press Call again.',
  call_limit: "You've reached your call limit for now. Try again later.",
  rate_limit: "Your account can't call numbers this expensive yet. Contact support if you need to.",
  destination_paused: 'Calls to this destination are paused for a while. Try again later.',
  destination_locked: 'You have locked calls to this country. Unlock it in your profile.',
  call_cap: "Your limit per call doesn't cover a minute there. Change it in your profile.",
  month_cap: spendingTexts.monthReached,
  new_customer_cap: "You've reached the call limit for your first days. Try again later.",
  test_call: "You can't make a test call right now. Try again later.",
  unavailable: endReasonTexts.token_failed,
}

export const limitTexts = {
  /** Max 82 characters, two lines of a small screen. */
  price: ({ rateMicroUsd, surchargeMicroUsd }: Pick<Destination, 'rateMicroUsd' | 'surchargeMicroUsd'>) =>
    `${surchargeMicroUsd > 0 ? 'With your own number this call' : 'This call'} costs ${formatRate(rateMicroUsd)} a minute. Press Call again to pay it.`,
  creditsHeld: 'Your other call may use up your credits. Hang up there first, or buy credits.',
  attempts: (max: number, waitMs: number) =>
    `You've tried ${max} calls in an hour, the limit for now. Try again ${inTime(waitMs)}.`,
  hour: (max: number, waitMs: number) =>
    `You've made ${max} calls in an hour, the limit for now. Call again ${inTime(waitMs)}.`,
  day: (max: number, waitMs: number) =>
    `You've made ${max} calls in a day, the limit for now. Call again ${inTime(waitMs)}.`,
  paused: (waitMs: number) =>
    `Unusually many people are calling this destination, so it's paused. Call again ${inTime(waitMs)}.`,
  /** Max 82 characters, two lines of a small screen. @param left micro-dollars */
  newCustomer: ({ newCustomer }: CallPolicy, left: number, waitMs: number) =>
    `Your first ${newCustomer.hours} hours allow ${formatCharge(newCustomer.spendMicroUsd)} of calls; ${formatCharge(left)} is left. They end ${inTime(waitMs)}.`,
  rate: (tier: Tier, policy: CallPolicy) => {
    const maxRate = formatCharge(policy.tiers[tier].highestRateMicroUsd)
    return `Your account can call numbers up to ${maxRate} a minute for now. ${nextStep(tier, policy)}`
  },
  verificationRate: (tier: Tier, policy: CallPolicy, maxRateMicroUsd: number) => {
    const max = formatCharge(maxRateMicroUsd)
    return `Your account can verify numbers up to ${max} a minute for now. ${nextStep(tier, policy)}`
  },
} as const

/** Why a call promised as free is not, and its price; the next press of Call pays. @param why including the full stop */
export function notFree(why: string, rateMicroUsd?: number): string {
  const price = rateMicroUsd === undefined ? 'pay for it' : `pay ${formatRate(rateMicroUsd)} a minute`
  return `${why} Press Call again to ${price}.`
}

/** Why a call is not free, for users without credits. Does not reveal which other account or callee used the budget. */
export function freeCallSpentText({ per, waitMs }: BudgetSpent): string {
  switch (per) {
    case 'mailbox':
      return 'This e-mail address has had its free call. Buy credits to call now.'
    case 'prefix':
      return `Today's free calls to this destination are all taken. Try again ${inTime(waitMs)}, or buy credits to call now.`
    case 'everyone':
      return `Today's free calls are all taken. Try again ${inTime(waitMs)}, or buy credits to call now.`
    default:
      return rejectionMessage.free_call_limit
  }
}

/** The same for users who can pay. With `notFree`, max 82 characters, two lines of a small screen. */
export function freeCallSpentMessage({ per }: BudgetSpent): string {
  if (per === 'mailbox') return 'This e-mail address has had its free call.'
  if (per === 'prefix' || per === 'everyone') return "Today's free calls are all taken."
  return 'Free calls have reached their limit here.'
}

/** Why a call is rejected after too many unanswered ones. Bounds for accounts that never paid end with a payment. */
export function ringSpentText({ kind, per, max, waitMs }: BudgetSpent): string {
  if (per === 'account_to_callee')
    return `Nobody answered ${max} of your calls to this number in a day. Write to them if you can, and call again ${inTime(waitMs)}.`
  if (kind === 'unanswered_ring_paid')
    return `Many calls to this number went unanswered today. Write to them if you can, and call again ${inTime(waitMs)}.`
  const next = `Try again ${inTime(waitMs)}, or buy credits to call now.`
  return per === 'prefix' || per === 'everyone'
    ? `Too many calls from new accounts went unanswered today. ${next}`
    : `Too many calls from your connection or to this number went unanswered. ${next}`
}

function nextStep(tier: Tier, { established }: CallPolicy): string {
  switch (tier) {
    case 'never_paid':
      return 'Buy credits to raise that.'
    case 'newly_paid':
      return `It goes up ${established.afterDays} days after your first payment, once you've paid ${formatCharge(established.paidMicroUsd)} in all.`
    case 'established':
      return 'Contact support if you need more.'
  }
}

function inTime(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs))
  if (minutes === 1) return 'in a minute'
  return minutes <= 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`
}
