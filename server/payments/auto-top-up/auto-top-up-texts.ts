import { reviewAboveUsd } from '#lib/money/credits.ts'
import { dollarsText } from '#lib/money/money.ts'
import type { CardRejection } from '../../payment-provider/port.ts'
import { notices } from './notice-texts.ts'

/** Why a top-up failed. `unreachable`: the provider, for too long. `review`: the whole payment would wait for review. */
export type AutoTopUpTrouble = CardRejection | 'limit' | 'review' | 'unreachable'

/**
 * The status line shows it, so it has at most `statusLineMax` characters. The e-mail says more.
 * @param paused whether this failure paused auto top-up
 */
export function autoTopUpNotice(trouble: AutoTopUpTrouble, paused = false): string {
  if (paused && trouble === 'declined') return notices.pausedDeclined
  if (paused && trouble === 'authentication_required') return notices.pausedApproval
  return trouble === 'review'
    ? notices.review({ sum: dollarsText(String(reviewAboveUsd)) })
    : notices[trouble]
}
