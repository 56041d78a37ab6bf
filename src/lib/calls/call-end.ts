import type { CallOutcome } from '../api/calls.ts'

/* From what the network reports to what is stored. What pages say is in `end-reasons.ts` and `outcome-texts.ts`. */

/**
 * `limit`: the hard limit or no credit left; `hung_up`: hung up or cut, by an unknown side; `service_failed`: by a fault of ours, such
 * as an edge that is down, while `failed` is one of the carrier's or of the caller's sound.
 */
export type CarrierCause =
  | 'hung_up'
  | 'caller_hung_up'
  | 'callee_hung_up'
  | 'limit'
  | 'blocked'
  | 'no_answer'
  | 'busy'
  | 'declined'
  | 'cancelled'
  | 'invalid_number'
  | 'connection_lost'
  | 'server_stopping'
  | 'failed'
  | 'service_failed'

/** Why the server asks to hang up. `already_settled`: ended in our database. `limit`: the call exceeded its limit. */
export type HangUpReason = 'no_credits' | 'call_blocked' | 'already_settled' | 'limit'

export const causeOfRequest: Readonly<Record<HangUpReason, CarrierCause>> = {
  no_credits: 'limit',
  call_blocked: 'blocked',
  already_settled: 'server_stopping',
  limit: 'limit',
}

/** A shared network counts whole seconds, so a call cut at its limit may seem to end just before it. */
const limitToleranceMs = 1000

export function reachedLimit(answeredMs: number | null, limitMs: number): boolean {
  return answeredMs !== null && answeredMs >= limitMs - limitToleranceMs
}

export interface HangUpFacts {
  readonly requested: HangUpReason | null
  /** From answer to end; null when nobody answered. */
  readonly answeredMs: number | null
  readonly limitMs: number
}

/** Refines a hang-up on a network that does not say who ended the call: us, if we asked, the limit, or a person. */
export function refineHangUp(
  cause: CarrierCause,
  { requested, answeredMs, limitMs }: HangUpFacts,
): CarrierCause {
  if (cause !== 'hung_up' && cause !== 'cancelled') return cause
  // We asked for it at the limit, but the call may have ended long before.
  if (requested === null || requested === 'limit') return reachedLimit(answeredMs, limitMs) ? 'limit' : cause
  return causeOfRequest[requested]
}

interface Outcomes {
  readonly answered: CallOutcome
  readonly unanswered: CallOutcome
}

const always = (outcome: CallOutcome): Outcomes => ({ answered: outcome, unanswered: outcome })

const outcomes: Readonly<Record<CarrierCause, Outcomes>> = {
  hung_up: { answered: 'completed', unanswered: 'cancelled' },
  caller_hung_up: { answered: 'completed', unanswered: 'cancelled' },
  callee_hung_up: { answered: 'completed', unanswered: 'declined' },
  limit: always('limit'),
  blocked: always('failed'),
  no_answer: always('no_answer'),
  busy: always('busy'),
  declined: always('declined'),
  cancelled: always('cancelled'),
  invalid_number: always('invalid_number'),
  connection_lost: always('connection_lost'),
  server_stopping: always('interrupted'),
  failed: always('failed'),
  service_failed: always('failed'),
}

export function outcomeOf(cause: CarrierCause, answered: boolean): CallOutcome {
  return outcomes[cause][answered ? 'answered' : 'unanswered']
}
