import type { CallOutcome } from '#lib/api/calls.ts'
import type { BudgetKind, BudgetScope } from '../limits/budget-policy.ts'
import type { RejectionCode } from '../telephony/port.ts'

export const securityEvents = [
  'sign_in_failed',
  'sign_in_locked',
  'refresh_replayed',
  'origin_refused',
  'policy_violated',
  'second_factor_failed',
  'second_factor_locked',
  'second_factor_added',
  'second_factor_removed',
  'second_factor_reset',
  'recovery_codes_made',
  'recovery_code_used',
] as const
export type SecurityEvent = (typeof securityEvents)[number]

/** What use cases and adapters report, independent of how it is counted or traced. Holds no person, number or address. */
export type Observation =
  /** @param rejection null: the call was admitted */
  | { readonly kind: 'call_placed'; readonly rejection: RejectionCode | null }
  /** A page got a voice token, to call or to stay in a call. */
  | { readonly kind: 'voice_token_issued' }
  /** @param afterMs since it was placed */
  | { readonly kind: 'call_ringing' | 'call_answered'; readonly afterMs: number }
  /** @param outcome `service_failed`: by a fault of ours @param answeredMs null: never answered @param costMicroUsd charged to the user */
  | {
      readonly kind: 'call_ended'
      readonly outcome: CallOutcome | 'service_failed'
      readonly answeredMs: number | null
      readonly costMicroUsd: number
    }
  /** The edge's record of a settled call differs from what was charged. @param edgeHas seconds: more of them than we, or less */
  | { readonly kind: 'call_record_differs'; readonly edgeHas: 'more' | 'less' }
  /** @param lagMs since the minute began */
  | { readonly kind: 'minute_charged'; readonly microUsd: number; readonly lagMs: number }
  | { readonly kind: 'payment_paid' | 'payment_refunded'; readonly microUsd: number }
  | {
      readonly kind: 'call_credited'
      readonly reason: 'short' | 'no_sound' | 'claim' | 'restart'
      readonly microUsd: number
    }
  /** Measured by the caller's page in an answered call; null where it could not. */
  | {
      readonly kind: 'call_measured'
      readonly seconds: number
      readonly heardSeconds: number
      readonly mos: number | null
      readonly lossPercent: number | null
      readonly jitterMs: number | null
      readonly roundTripMs: number | null
    }
  /** @param score 1 to 5 */
  | { readonly kind: 'feedback'; readonly score: number; readonly issue: string | null }
  | {
      readonly kind: 'provider_asked'
      readonly provider: string
      readonly operation: string
      readonly ms: number
      readonly failed: boolean
    }
  /** @param reason our error code */
  | { readonly kind: 'webhook_refused'; readonly provider: string; readonly reason: string }
  /** An action that costs us money was rejected by a budget. */
  | { readonly kind: 'budget_refused'; readonly budget: BudgetKind; readonly per: BudgetScope }
  | { readonly kind: 'security_event'; readonly event: SecurityEvent }
  | { readonly kind: 'job_failed'; readonly job: string; readonly gaveUp: boolean }
  | { readonly kind: 'work_failed'; readonly work: string }
  /** @param route the pattern, never the address */
  | {
      readonly kind: 'request_answered'
      readonly method: string
      readonly route: string
      readonly status: number
      readonly ms: number
    }

/** Called once per event, after the commit and never inside a transaction that may roll back. Never throws. */
export type Observer = (seen: Observation) => void
