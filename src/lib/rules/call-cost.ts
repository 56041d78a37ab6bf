import { formatCharge } from './money.ts'
import { msPerMinute } from './pricing.ts'

/** What is known of a call that goes on. */
export interface CallTerms {
  /** Micro-dollars a minute; 0 when it is free. */
  readonly rateMicroUsd: number
  readonly talkedMs: number
  /** What is left beside the minutes begun, as the page shows it; null while that is not known. */
  readonly balanceMicroUsd: number | null
  /** Whole minutes after which the network ends it, as the server last said; null while it has not. */
  readonly limitMinutes: number | null
  /** Credit is bought by itself when little is left. */
  readonly toppedUp: boolean
}

/** What a call has cost until now: each minute begun, from the answer (product decisions, 'Money'). Micro-dollars. */
export function costSoFarMicroUsd(talkedMs: number, rateMicroUsd: number): number {
  return (Math.floor(Math.max(0, talkedMs) / msPerMinute) + 1) * rateMicroUsd
}

/**
 * How long a call may still go on, in ms: until the network ends it, and no longer than the balance lasts. Null where that
 * is not known, and where credit is bought meanwhile and nothing else ends it soon.
 */
export function timeLeftMs(terms: CallTerms): number | null {
  const { rateMicroUsd, talkedMs, balanceMicroUsd, limitMinutes, toppedUp } = terms
  const limited = limitMinutes === null ? null : Math.max(0, limitMinutes * msPerMinute - talkedMs)
  if (rateMicroUsd === 0 || toppedUp || balanceMicroUsd === null) return limited
  const ofThisMinute = msPerMinute - (talkedMs % msPerMinute)
  const paid = ofThisMinute + Math.floor(balanceMicroUsd / rateMicroUsd) * msPerMinute
  return limited === null ? paid : Math.min(limited, paid)
}

/** What a call has cost so far, in words. */
export function costWords({ rateMicroUsd, talkedMs }: CallTerms): string {
  return rateMicroUsd === 0 ? 'Free' : `${formatCharge(costSoFarMicroUsd(talkedMs, rateMicroUsd))} so far`
}

/** `About 512 min left`: minutes to the nearest one, and seconds are not counted down. */
export function timeLeftWords(leftMs: number): string {
  const minutes = Math.round(leftMs / msPerMinute)
  return minutes < 1 ? 'Less than 1 min left' : `About ${minutes} min left`
}
