import { reviewAboveUsd } from '#lib/money/credits.ts'
import { dollarsText } from '#lib/money/money.ts'
import type { CardRejection } from '../payment-provider/port.ts'
import { notices } from './top-up-trouble-texts.ts'

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

/** As stored with the account, until the next top-up. */
export function troubleCode(trouble: CardRejection, paused: boolean): string {
  return paused ? `${trouble} paused` : trouble
}

/** The notice of a stored code. What was stored before there were codes is the notice itself, in English. */
export function storedTopUpNotice(stored: string): string {
  const [, trouble, paused] = /^(declined|authentication_required|card_gone)( paused)?$/.exec(stored) ?? []
  return trouble === undefined ? stored : autoTopUpNotice(trouble as CardRejection, paused !== undefined)
}
