import { minMeasuredSeconds } from '#lib/api/call-quality.ts'
import { dayMs } from '#lib/time.ts'
import { claims } from './claim-texts.ts'
import type { ClaimRejection } from './credit.ts'

/** Shorter answered calls are credited automatically. Milliseconds. */
export const shortCallMs = 10_000
export const creditWindowDays = 30
export const claimDays = 7

/** What the page measured in a call, in whole seconds. */
export interface MeasuredSound {
  readonly seconds: number
  readonly heardSeconds: number
}

export interface EndedCall {
  readonly answeredMs: number
  /** Whether the carrier received any audio from the callee; null if unknown. */
  readonly networkHeard: boolean | null
  readonly measured: MeasuredSound | null
}

export type AutomaticCredit = {
  readonly reason: 'short' | 'no_sound'
  readonly unverified: boolean
}

/** Null without a credit. The page's measurement counts only if it covers at least half of the call. */
export function automaticCredit({ answeredMs, networkHeard, measured }: EndedCall): AutomaticCredit | null {
  if (answeredMs < shortCallMs) return { reason: 'short', unverified: false }
  if (networkHeard === false) return { reason: 'no_sound', unverified: false }
  if (measured === null || measured.heardSeconds > 0 || measured.seconds < minMeasuredSeconds) return null
  return measured.seconds * 2000 >= answeredMs ? { reason: 'no_sound', unverified: true } : null
}

export function claimableUntil(endedAt: Date): Date {
  return new Date(endedAt.getTime() + claimDays * dayMs)
}

/** Message for each code of a rejected claim. All but the first point to support. */
export function claimMessage(code: ClaimRejection): string {
  if (code === 'too_late') return claims.too_late({ days: String(claimDays) })
  return code === 'claim_limit' ? claims.claim_limit({ days: String(creditWindowDays) }) : claims[code]
}
