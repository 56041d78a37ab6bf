import type { EndpointCause } from '../exchange/endpoints/endpoint.ts'
import type { EdgeFailure } from './signalling.ts'
import type { AttemptOutcome } from './trunk-books.ts'

export interface Rejection {
  /** SIP status. */
  readonly code: number
  /** The edge placed nothing, and why; undefined when the carrier answered. */
  readonly edge: EdgeFailure | undefined
  /** Whether the callee's telephone may have rung, or the carrier sent sound. */
  readonly rang: boolean
}

/** What the callee's network says of the callee: another carrier would only say the same, or ring the telephone again. */
const ofCallee = new Set([404, 410, 484, 486, 600, 603, 604, 607, 608])

/** These speak of the carrier only where it documents them so. */
const ambiguous = new Set([403, 408, 480])

/**
 * Whether a call moves to the next carrier. Never once it rang: nobody's telephone rings twice.
 * @param ownFailures statuses, of 403, 408 and 480, that the carrier documents as its own failures
 */
export function movesOn({ code, edge, rang }: Rejection, ownFailures: readonly number[]): boolean {
  if (rang || edge === 'lost') return false
  if (edge !== undefined) return true
  if (ofCallee.has(code)) return false
  return code >= 500 && code < 600 ? true : ambiguous.has(code) && ownFailures.includes(code)
}

/** What a rejection says of the carrier. One that is full works, and the other failures of an edge are not the carrier's. */
export function outcomeOfRejection(
  rejection: Rejection,
  ownFailures: readonly number[],
): Extract<AttemptOutcome, 'unanswered' | 'failed' | 'not_placed'> {
  if (rejection.edge === undefined && !movesOn(rejection, ownFailures)) return 'unanswered'
  switch (rejection.edge) {
    case 'lost':
    case 'full':
    case 'no_record':
    case 'edge_down':
      return 'not_placed'
    case 'unreachable':
    case 'timeout':
    case undefined:
      return 'failed'
  }
}

/** What the call's end means to the caller. RFC 3261, section 21; RFC 3398, section 7.2.4.1. */
export function causeOfRejection({ code, edge }: Rejection): EndpointCause {
  if (edge === 'lost' || edge === 'no_record' || edge === 'edge_down') return 'service_failed'
  if (edge !== undefined) return 'failed'
  switch (code) {
    case 404:
    case 410:
    case 484:
    case 604:
      return 'invalid_number'
    case 486:
    case 600:
      return 'busy'
    case 403:
    case 603:
    case 607:
    case 608:
      return 'declined'
    case 408:
    case 480:
    case 487:
      return 'no_answer'
    default:
      return 'failed'
  }
}
