import { reviewAboveUsd } from '#lib/money/credits.ts'
import type { CardRefusal } from '../../payment-provider/port.ts'

/** Why a top-up failed. `unreachable`: the provider, for too long. `review`: the whole payment would wait for review. */
export type AutoTopUpTrouble = CardRefusal | 'limit' | 'review' | 'unreachable'

const notices: Readonly<Record<AutoTopUpTrouble, string>> = {
  declined: "Your card was declined, so your credits weren't topped up. Buy credits to keep calling.",
  authentication_required:
    "Your bank wants you to approve the payment, so your credits weren't topped up. Buy credits yourself and approve it there.",
  card_gone:
    "We can't charge your saved card any more, so auto top-up is off. Buy credits with auto top-up on to save a card again.",
  limit: 'Auto top-up has reached its limit for now. Buy credits to keep calling.',
  review: `You bought $${reviewAboveUsd} of credits in a day, and anything more waits for a review, so we didn't charge your card. Contact support to keep calling.`,
  unreachable:
    "We couldn't reach our payment provider, so your credits weren't topped up. Buy credits to keep calling.",
}

const pausedNotices: Readonly<Partial<Record<AutoTopUpTrouble, string>>> = {
  declined:
    'Auto top-up is paused: your card was declined again. Switch it on again on Buy Credits; buying then saves another card.',
  authentication_required:
    'Auto top-up is paused: your bank wants you to approve each payment. Switch it on again on Buy Credits; buying then saves another card.',
}

/** @param paused whether this failure paused auto top-up */
export function autoTopUpNotice(trouble: AutoTopUpTrouble, paused = false): string {
  return (paused ? pausedNotices[trouble] : undefined) ?? notices[trouble]
}
