import { formatCharge } from '#lib/money/money.ts'
import { minuteMs } from '#lib/time.ts'
import { texts } from './texts.ts'

export interface CallTerms {
  /** Micro-dollars per minute; 0 if free. */
  readonly rateMicroUsd: number
  readonly talkedMs: number
  /** Shown balance, after the minutes started so far; null while unknown. */
  readonly balanceMicroUsd: number | null
  /** Whole minutes after which the carrier ends the call; null until the server has sent it. */
  readonly limitMinutes: number | null
  readonly toppedUp: boolean
}

/** Micro-dollars for all started minutes (PD-40). */
export function costSoFarMicroUsd(talkedMs: number, rateMicroUsd: number): number {
  return (Math.floor(Math.max(0, talkedMs) / minuteMs) + 1) * rateMicroUsd
}

/** Until the limit or the end of the balance. Null if unknown, or if auto top-up is on and no limit is near. */
export function timeLeftMs(terms: CallTerms): number | null {
  const { rateMicroUsd, talkedMs, balanceMicroUsd, limitMinutes, toppedUp } = terms
  const limited = limitMinutes === null ? null : Math.max(0, limitMinutes * minuteMs - talkedMs)
  if (rateMicroUsd === 0 || toppedUp || balanceMicroUsd === null) return limited
  const ofThisMinute = minuteMs - (talkedMs % minuteMs)
  const paid = ofThisMinute + Math.floor(balanceMicroUsd / rateMicroUsd) * minuteMs
  return limited === null ? paid : Math.min(limited, paid)
}

export function costText({ rateMicroUsd, talkedMs }: CallTerms): string {
  return rateMicroUsd === 0
    ? texts.free
    : texts.soFar({ cost: formatCharge(costSoFarMicroUsd(talkedMs, rateMicroUsd)) })
}

/** `About 512 min left`: nearest minute; seconds are not counted down. */
export function timeLeftText(leftMs: number): string {
  const minutes = Math.round(leftMs / minuteMs)
  return minutes < 1 ? texts.underOneMinute : texts.minutesLeft({ minutes })
}
