import type { CallOutcome } from '#lib/api/calls.ts'
import { callSummary } from '#lib/calls/call-summary.ts'
import { texts } from '#lib/texts.ts'
import type { CallEnd } from '../../telephony/port.ts'
import { type CallRow, presentCall } from '../rows.ts'

export interface CallEnding {
  readonly callId: string
  /** From answer to end; null when nobody answered. */
  readonly answeredMs: number | null
  readonly end: CallEnd
  /** Whether the network received sound from the callee; undefined if it does not report that. */
  readonly heard?: boolean | undefined
}

export interface Ending extends Omit<CallEnding, 'callId'> {
  /** Not reported by the network. */
  readonly inferred?: true
}

/** A shared network counts whole seconds, so a call cut at its limit may seem to end just before it. */
const limitToleranceMs = 1000

/** Refines a hang-up on a network that does not say who ended the call: us, if we asked for it, the limit, or a person. */
export function endOfHungUp(call: CallRow, { answeredMs, end }: Ending): CallEnd {
  if (end !== 'hung_up' && end !== 'cancelled') return end
  switch (call.hang_up) {
    case 'no_credits':
      return 'limit'
    case 'call_blocked':
      return 'blocked'
    case 'already_settled':
      return 'server_stopping'
    // We asked for it at the limit, but the call may have ended long before.
    case 'limit':
    case null:
      return answeredMs !== null && answeredMs >= call.limit_ms - limitToleranceMs ? 'limit' : end
  }
}

/** For pages that still show the call as live (`call_error`, SPEC-4.21). Undefined where the voice client reports the end. */
export function callErrorMessage(row: CallRow, end: CallEnd): string | undefined {
  switch (end) {
    case 'blocked':
      return texts.calls.call_blocked
    case 'limit':
    case 'connection_lost':
    case 'server_stopping':
      return callSummary(presentCall(row), { kind: 'connection_lost' })
    default:
      return undefined
  }
}

/** Answered time of a call that the network no longer knows, in milliseconds; null if nobody answered. */
export function lastKnownMs(call: CallRow, now: Date): number | null {
  if (call.answered_at === null) return null
  if (call.carrier_leg !== null)
    return Math.max(1, call.alive_ms ?? now.getTime() - call.answered_at.getTime())
  if (call.alive_ms !== null) return call.alive_ms
  const until = call.heartbeat_at ?? call.answered_at
  return Math.max(0, until.getTime() - call.answered_at.getTime())
}

export function endOf(call: CallRow, answeredMs: number | null): Date | undefined {
  if (call.answered_at === null || answeredMs === null) return undefined
  return new Date(call.answered_at.getTime() + answeredMs)
}

export function outcomeOf(end: CallEnd, answered: boolean): CallOutcome {
  switch (end) {
    case 'hung_up':
    case 'caller_hung_up':
      return answered ? 'completed' : 'cancelled'
    case 'callee_hung_up':
      return answered ? 'completed' : 'declined'
    case 'server_stopping':
      return 'interrupted'
    case 'blocked':
      return 'failed'
    case 'connection_lost':
    case 'limit':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'cancelled':
    case 'invalid_number':
    case 'failed':
      return end
  }
}
