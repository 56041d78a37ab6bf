import { reviewAboveUsd } from '#lib/money/credits.ts'
import type { CardRejection } from '../../payment-provider/port.ts'

/** Why a top-up failed. `unreachable`: the provider, for too long. `review`: the whole payment would wait for review. */
export type AutoTopUpTrouble = CardRejection | 'limit' | 'review' | 'unreachable'

/** The status line shows these, so each has at most `statusLineMax` characters. The e-mail says more. */
const notices: Readonly<Record<AutoTopUpTrouble, string>> = {
  declined: 'Your card was declined, so auto top-up failed. Buy credits to keep calling.',
  authentication_required: 'Your bank wants you to approve the top-up. Buy credits and approve it there.',
  card_gone: "Auto top-up is off: we can't charge your card. Buy credits to save another one.",
  limit: 'Auto top-up has reached its limit for now. Buy credits to keep calling.',
  review: `Your card wasn't charged: above $${reviewAboveUsd} a day we review payments. Contact support.`,
  unreachable: "We couldn't reach our payment provider to top up. Buy credits to keep calling.",
}

const pausedNotices: Readonly<Partial<Record<AutoTopUpTrouble, string>>> = {
  declined: 'Auto top-up is paused: your card was declined again. Go to Buy Credits.',
  authentication_required: 'Auto top-up is paused: your bank wants you to approve it. Go to Buy Credits.',
}

/** @param paused whether this failure paused auto top-up */
export function autoTopUpNotice(trouble: AutoTopUpTrouble, paused = false): string {
  return (paused ? pausedNotices[trouble] : undefined) ?? notices[trouble]
}
