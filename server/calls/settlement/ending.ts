import { type CarrierCause, refineHangUp } from '#lib/calls/call-end.ts'
import { callSummary } from '#lib/calls/call-summary.ts'
import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import { type CallRow, presentCall } from '../rows.ts'

export interface CallEnding {
  readonly callId: string
  /** From answer to end; null when nobody answered. */
  readonly answeredMs: number | null
  readonly end: CarrierCause
  /** Whether the network received sound from the callee; undefined if it does not report that. */
  readonly heard?: boolean | undefined
  /** Whether the network received sound from the caller since the answer; undefined if it does not report that. */
  readonly callerHeard?: boolean | undefined
}

export interface Ending extends Omit<CallEnding, 'callId'> {
  /** Not reported by the network. */
  readonly inferred?: true
}

/** With what we asked for and the limit, where the network does not say who ended the call. */
export function causeOf(call: CallRow, { answeredMs, end }: Ending): CarrierCause {
  return refineHangUp(end, { requested: call.hang_up, answeredMs, limitMs: call.limit_ms })
}

/** For pages that still show the call as live (`call_error`, SPEC-4.21). Undefined where the voice client reports the end. */
export function callErrorMessage(row: CallRow, end: CarrierCause): string | undefined {
  switch (end) {
    case 'blocked':
      return endReasonTexts.call_blocked
    case 'limit':
    case 'connection_lost':
    case 'server_stopping':
      return callSummary(presentCall(row), { kind: 'connection_lost' })
    case 'hung_up':
    case 'caller_hung_up':
    case 'callee_hung_up':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'cancelled':
    case 'invalid_number':
    case 'failed':
    case 'service_failed':
      return undefined
    default:
      return end satisfies never
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
