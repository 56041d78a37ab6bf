import { emergencyMessage } from '#lib/rules/emergency.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { formatCharge, formatRate } from '#lib/rules/money.ts'
import { unrecognisedMessage, unsupportedMessage } from '#lib/rules/phone.ts'
import { spendingTexts } from '#lib/rules/spending.ts'
import type { CallPolicy, Tier } from '../../policy.ts'
import type { RefusalCode } from '../../telephony/port.ts'

/** What the caller reads when an attempt is refused: specification section 8 where it has a text. */
export const refusalMessage: Readonly<Record<RefusalCode, string>> = {
  invalid_number: unrecognisedMessage,
  unsupported_destination: unsupportedMessage,
  emergency_number: emergencyMessage,
  no_credits: texts.calls.start_no_credits,
  call_blocked: texts.calls.call_blocked,
  email_unverified: texts.calls.email_unverified,
  too_many_calls: 'You already have a call in progress. Hang up there first.',
  caller_id_not_verified: 'That caller ID is not verified for your account. Choose another and try again.',
  free_call_limit:
    'Too many free calls came from your connection or went to this number lately. Buy credits to call it now.',
  not_free: notFree('This call would not be free.'),
  call_limit: 'You have reached the most calls for now. Try again later.',
  rate_limit: 'Your account cannot call numbers as dear as this yet. Contact support if you need to.',
  destination_paused: 'Calls to this destination pause for a while. Try again later.',
  destination_locked: 'You have locked calls to this country. Unlock it in your profile.',
  call_cap: 'Your cap for a call covers no minute there. Change it in your profile.',
  month_cap: spendingTexts.monthReached,
  test_call: 'A test call is not possible now. Try again later.',
  unavailable: texts.calls.token_failed,
}

/** The same for limits, with the figures: which one, and what to do about it. */
export const limitTexts = {
  /** With `notFree` at most 82 characters, two lines of a small screen. */
  freeCalls: 'Free calls have reached their limit here.',
  creditsHeld: 'Your other call may use up your credits. Hang up there first, or buy credits.',
  attempts: (most: number, waitMs: number) =>
    `You have tried ${most} calls within an hour, the most for now. Try again ${inTime(waitMs)}.`,
  hour: (most: number, waitMs: number) =>
    `You have had ${most} calls within an hour, the most for now. Call again ${inTime(waitMs)}.`,
  day: (most: number, waitMs: number) =>
    `You have had ${most} calls within a day, the most for now. Call again ${inTime(waitMs)}.`,
  paused: (waitMs: number) =>
    `Unusually many people call this destination, so it pauses. Call again ${inTime(waitMs)}.`,
  rate: (tier: Tier, policy: CallPolicy) => {
    const most = formatCharge(policy.tiers[tier].highestRateMicroUsd)
    return `Your account can call numbers up to ${most} a minute for now. ${nextStep(tier, policy)}`
  },
} as const

/**
 * Why a call that its page promised to be free would not be, and what it costs then. The next press of Call pays.
 * @param why with the full stop
 */
export function notFree(why: string, rateMicroUsd?: number): string {
  const price = rateMicroUsd === undefined ? 'pay for it' : `pay ${formatRate(rateMicroUsd)} a minute`
  return `${why} Press Call again to ${price}.`
}

function nextStep(tier: Tier, { established }: CallPolicy): string {
  switch (tier) {
    case 'never_paid':
      return 'Buy credits to raise that.'
    case 'newly_paid':
      return `${established.afterDays} days after your first payment, and ${formatCharge(established.paidMicroUsd)} paid in all, it is raised.`
    case 'established':
      return 'Contact support if you need more.'
  }
}

function inTime(ms: number): string {
  const minutes = Math.max(1, Math.ceil(ms / 60_000))
  if (minutes === 1) return 'in a minute'
  return minutes <= 90 ? `in ${minutes} minutes` : `in ${Math.ceil(minutes / 60)} hours`
}
