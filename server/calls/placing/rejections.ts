import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import { formatBalance, formatCharge, formatRate } from '#lib/money/money.ts'
import { spendingTexts } from '#lib/money/spending.ts'
import { emergencyMessage } from '#lib/numbers/emergency.ts'
import { numberTexts } from '#lib/numbers/number-texts.ts'
import { minuteMs } from '#lib/time.ts'
import type { CallPolicy, Tier } from '../../config/policy.ts'
import type { BudgetSpent } from '../../limits/reserve.ts'
import type { RejectionCode } from '../../telephony/port.ts'
import type { Destination } from './destination.ts'

/*
 * The dialler's status line shows these texts, so each has at most `statusLineMax` characters. A rejection for want of credits
 * has the button Top up beside it (`free_call_limit`, `no_credits`).
 */

/** Message to the user for each rejection, in the words of SPEC-8.3 to SPEC-8.14 where they fit. */
export const rejectionMessage: Readonly<Record<RejectionCode, string>> = {
  invalid_number: numberTexts.unrecognised,
  unsupported_destination: numberTexts.unsupported,
  emergency_number: emergencyMessage(),
  no_credits: endReasonTexts.start_no_credits,
  call_blocked: endReasonTexts.call_blocked,
  signed_out: 'This device was logged out. Log in again to call.',
  email_unverified: endReasonTexts.email_unverified,
  too_many_calls: 'You already have a call in progress. Hang up there first.',
  caller_id_not_verified: "That caller ID isn't verified for your account. Choose another one.",
  free_call_limit: 'Too many free calls from your connection or to this number. Buy credits to call.',
  not_free: notFree('This call would not be free.'),
  price_changed: 'The price of this call has changed. Check it, then press Call again.',
  call_limit: "You've reached your call limit for now. Try again later.",
  rate_limit: "Your account can't call numbers this expensive yet. Contact support for help.",
  destination_paused: 'Calls to this destination are paused for a while. Try again later.',
  destination_locked: "You've locked calls to this country. Unlock it in your profile.",
  call_cap: "Your limit per call doesn't cover a minute there. Change it in your profile.",
  month_cap: spendingTexts.monthReached,
  new_customer_cap: "You've reached the call limit for new accounts. Try again later.",
  test_call: "You can't make a test call right now. Try again later.",
  unavailable: endReasonTexts.token_failed,
}

export const limitTexts = {
  price: ({ rateMicroUsd, surchargeMicroUsd }: Pick<Destination, 'rateMicroUsd' | 'surchargeMicroUsd'>) =>
    `${surchargeMicroUsd > 0 ? 'With your own number this call' : 'This call'} costs ${formatRate(rateMicroUsd)} a minute. Press Call again to pay.`,
  creditsHeld: 'Your other call may use up your credits. Hang up there first, or buy credits.',
  /** A free call that does not cover this rate is kept, and the user learns why (PD-20). */
  freeCallRate: ({ freeCall }: CallPolicy, rateMicroUsd: number) =>
    `Your free call covers rates up to ${formatCharge(freeCall.worthMicroUsd)} a minute. This number costs ${formatCharge(rateMicroUsd)}.`,
  attempts: (max: number, waitMs: number) =>
    `You've tried to call ${max} times in an hour, our limit. Try again ${inTime(waitMs)}.`,
  hour: (max: number, waitMs: number) =>
    `You've made ${max} calls in an hour, the limit for now. Call again ${inTime(waitMs)}.`,
  day: (max: number, waitMs: number) =>
    `You've made ${max} calls in a day, the limit for now. Call again ${inTime(waitMs)}.`,
  paused: (waitMs: number) => `Calls there are paused after unusual demand. Call again ${inTime(waitMs)}.`,
  /** @param left micro-dollars */
  newCustomer: ({ newCustomer }: CallPolicy, left: number, waitMs: number) =>
    `You can spend ${formatBalance(left)} more in your first ${newCustomer.hours} hours. They end ${inTime(waitMs)}.`,
  rate: (tier: Tier, { tiers, established }: CallPolicy) => {
    const maxRate = formatCharge(tiers[tier].highestRateMicroUsd)
    switch (tier) {
      case 'never_paid':
        return `You can call numbers up to ${maxRate} a minute. Buy credits to raise that.`
      case 'newly_paid':
        return `Your limit is ${maxRate} a minute until you've paid ${formatCharge(established.paidMicroUsd)} and ${established.afterDays} days have passed.`
      case 'established':
        return `You can call numbers up to ${maxRate} a minute. Contact support if you need more.`
    }
  },
  /** In the dialog of caller IDs, where there is room for the whole condition. */
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
      return 'This e-mail address has already had its free call. Buy credits to call.'
    case 'prefix':
      return `Today's free calls there are all taken. Try again ${inTime(waitMs)}, or buy credits.`
    case 'everyone':
      return `Today's free calls are all taken. Try again ${inTime(waitMs)}, or buy credits.`
    default:
      return rejectionMessage.free_call_limit
  }
}

/** The same for users who can pay, for `notFree`. */
export function freeCallSpentMessage({ per }: BudgetSpent): string {
  if (per === 'mailbox') return 'This e-mail address had its free call.'
  if (per === 'prefix' || per === 'everyone') return "Today's free calls are all taken."
  return 'Free calls have reached their limit.'
}

/** Why a call is rejected after too many unanswered ones. Bounds for accounts that never paid end with a payment. */
export function ringSpentText({ kind, per, max, waitMs }: BudgetSpent): string {
  if (per === 'account_to_callee')
    return `They didn't answer ${max} calls in a day. Text them, or call again ${inTime(waitMs)}.`
  if (kind === 'unanswered_ring_paid')
    return `Many calls there went unanswered today. Text them, or call again ${inTime(waitMs)}.`
  const whose = per === 'prefix' || per === 'everyone' ? 'by new users' : 'like this'
  return `Too many unanswered calls ${whose}. Buy credits, or try again ${inTime(waitMs)}.`
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
