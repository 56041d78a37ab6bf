import type { CallOutcome } from '#lib/api/calls.ts'
import type { RefusalCode } from '../telephony/port.ts'

/**
 * What use cases and adapters tell of themselves, in our own words; who counts or draws it is none of their business. Nothing
 * in it names a person, a number or an address.
 */
export type Observation =
  /** @param refusal null: the call may ring */
  | { readonly kind: 'call_placed'; readonly refusal: RefusalCode | null }
  /** A page was let through to the voice service, to call or to stay in a call. */
  | { readonly kind: 'voice_token_issued' }
  /** @param afterMs since it was placed */
  | { readonly kind: 'call_ringing' | 'call_answered'; readonly afterMs: number }
  /** @param answeredMs null: nobody answered @param costMicroUsd what it came to */
  | {
      readonly kind: 'call_ended'
      readonly outcome: CallOutcome
      readonly answeredMs: number | null
      readonly costMicroUsd: number
    }
  /** The meter took what it costs. @param lagMs since the minute began */
  | { readonly kind: 'minute_charged'; readonly microUsd: number; readonly lagMs: number }
  | { readonly kind: 'payment_paid' | 'payment_refunded'; readonly microUsd: number }
  /** A call was given back because it was bad. */
  | {
      readonly kind: 'call_credited'
      readonly reason: 'short' | 'no_sound' | 'claim'
      readonly microUsd: number
    }
  /** What the caller's page measured of an answered call; null where it could not. */
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
  /** A request of ours to somebody outside. */
  | {
      readonly kind: 'provider_asked'
      readonly provider: string
      readonly operation: string
      readonly ms: number
      readonly failed: boolean
    }
  /** @param reason our code of the answer */
  | { readonly kind: 'webhook_refused'; readonly provider: string; readonly reason: string }
  | { readonly kind: 'job_failed'; readonly job: string; readonly gaveUp: boolean }
  /** A turn of a worker's loop threw. */
  | { readonly kind: 'work_failed'; readonly work: string }
  /** @param route the pattern, never the address */
  | {
      readonly kind: 'request_answered'
      readonly method: string
      readonly route: string
      readonly status: number
      readonly ms: number
    }

/** Told after the fact, once for each: after a commit, never inside a transaction that may still roll back. Never throws. */
export type Observer = (seen: Observation) => void
