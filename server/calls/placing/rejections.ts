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
import { rejections } from './rejection-texts.ts'

/*
 * The dialler's status line shows these texts, so each has at most `statusLineMax` characters. A rejection for want of credits
 * has the button Top up beside it (`free_call_limit`, `no_credits`).
 */

/** Message to the user for each rejection, in the words of SPEC-8.3 to SPEC-8.14 where they fit. */
export const rejectionMessages = (): Readonly<Record<RejectionCode, string>> => ({
  invalid_number: numberTexts.unrecognised,
  unsupported_destination: numberTexts.unsupported,
  emergency_number: emergencyMessage(),
  no_credits: endReasonTexts.start_no_credits,
  call_blocked: endReasonTexts.call_blocked,
  signed_out: rejections.signedOut,
  email_unverified: endReasonTexts.email_unverified,
  too_many_calls: rejections.tooManyCalls,
  caller_id_not_verified: rejections.callerIdNotVerified,
  free_call_limit: rejections.freeCallLimit,
  not_free: notFree(rejections.notFree),
  price_changed: rejections.priceChanged,
  call_limit: rejections.callLimit,
  rate_limit: rejections.rateLimit,
  destination_paused: rejections.destinationPaused,
  destination_locked: rejections.destinationLocked,
  call_cap: rejections.callCap,
  month_cap: spendingTexts.monthReached,
  new_customer_cap: rejections.newCustomerCap,
  test_call: rejections.testCall,
  unavailable: endReasonTexts.token_failed,
})

export const limitTexts = {
  price: ({ rateMicroUsd, surchargeMicroUsd }: Pick<Destination, 'rateMicroUsd' | 'surchargeMicroUsd'>) => {
    const rate = formatRate(rateMicroUsd)
    return surchargeMicroUsd > 0 ? rejections.priceOwnNumber({ rate }) : rejections.price({ rate })
  },
  /** A free call that does not cover this rate is kept, and the user learns why (PD-20). */
  freeCallRate: ({ freeCall }: CallPolicy, rateMicroUsd: number) =>
    rejections.freeCallRate({ max: formatCharge(freeCall.worthMicroUsd), rate: formatCharge(rateMicroUsd) }),
  attempts: (max: number, waitMs: number) => rejections.attempts({ max: String(max), when: inTime(waitMs) }),
  hour: (max: number, waitMs: number) => rejections.hour({ max: String(max), when: inTime(waitMs) }),
  day: (max: number, waitMs: number) => rejections.day({ max: String(max), when: inTime(waitMs) }),
  paused: (waitMs: number) => rejections.paused({ when: inTime(waitMs) }),
  /** @param left micro-dollars */
  newCustomer: ({ newCustomer }: CallPolicy, left: number, waitMs: number) =>
    rejections.newCustomer({
      left: formatBalance(left),
      hours: String(newCustomer.hours),
      when: inTime(waitMs),
    }),
  rate: (tier: Tier, { tiers, established }: CallPolicy) => {
    const max = formatCharge(tiers[tier].highestRateMicroUsd)
    switch (tier) {
      case 'never_paid':
        return rejections.rateNeverPaid({ max })
      case 'newly_paid':
        return rejections.rateNewlyPaid({ max, ...conditions(established) })
      case 'established':
        return rejections.rateEstablished({ max })
    }
  },
  /** In the dialog of caller IDs, where there is room for the whole condition. */
  verificationRate: (tier: Tier, { established }: CallPolicy, maxRateMicroUsd: number) => {
    const max = formatCharge(maxRateMicroUsd)
    switch (tier) {
      case 'never_paid':
        return rejections.verifyNeverPaid({ max })
      case 'newly_paid':
        return rejections.verifyNewlyPaid({ max, ...conditions(established) })
      case 'established':
        return rejections.verifyEstablished({ max })
    }
  },
} as const

function conditions({ paidMicroUsd, afterDays }: CallPolicy['established']): { paid: string; days: string } {
  return { paid: formatCharge(paidMicroUsd), days: String(afterDays) }
}

/** Why a call promised as free is not, and its price; the next press of Call pays. @param why including the full stop */
export function notFree(why: string, rateMicroUsd?: number): string {
  const pay =
    rateMicroUsd === undefined ? rejections.payForIt : rejections.payRate({ rate: formatRate(rateMicroUsd) })
  return `${why} ${pay}`
}

/** Why a call is not free, for users without credits. Does not reveal which other account or callee used the budget. */
export function freeCallSpentText({ per, waitMs }: BudgetSpent): string {
  switch (per) {
    case 'mailbox':
      return rejections.freeUsedMailbox
    case 'prefix':
      return rejections.freeTakenThere({ when: inTime(waitMs) })
    case 'everyone':
      return rejections.freeTaken({ when: inTime(waitMs) })
    default:
      return rejections.freeCallLimit
  }
}

/** The same for users who can pay, for `notFree`. */
export function freeCallSpentMessage({ per }: BudgetSpent): string {
  if (per === 'mailbox') return rejections.hadFreeCall
  return per === 'prefix' || per === 'everyone' ? rejections.allTaken : rejections.freeLimit
}

/** Why a call is rejected after too many unanswered ones. Bounds for accounts that never paid end with a payment. */
export function ringSpentText({ kind, per, max, waitMs }: BudgetSpent): string {
  const when = inTime(waitMs)
  if (per === 'account_to_callee') return rejections.noAnswer({ max: String(max), when })
  if (kind === 'unanswered_ring_paid') return rejections.manyUnanswered({ when })
  return per === 'prefix' || per === 'everyone'
    ? rejections.unansweredByNew({ when })
    : rejections.unansweredLikeThis({ when })
}

function inTime(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / minuteMs))
  return minutes <= 90
    ? rejections.inMinutes({ minutes })
    : rejections.inHours({ hours: Math.ceil(minutes / 60) })
}
