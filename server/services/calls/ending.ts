import type { CallOutcome } from '#lib/api/calls.ts'
import { callSummary } from '#lib/rules/call-summary.ts'
import { texts } from '#lib/rules/error-texts.ts'
import type { CallEnd } from '../../telephony/port.ts'
import { type CallRow, presentCall } from './rows.ts'

/** How calls end: who ended them, when, and what is said of it. */

export interface CallEnding {
  readonly callId: string
  /** From answer to end; null when nobody answered. */
  readonly answeredMs: number | null
  readonly end: CallEnd
  /** Whether the network passed anything on from the other end; undefined where it does not say. */
  readonly heard?: boolean | undefined
}

export interface Ending extends Omit<CallEnding, 'callId'> {
  /** Nobody told it. */
  readonly inferred?: true
}

/** A shared network counts whole seconds: a call that was cut at its limit may seem to end just before it. */
const limitToleranceMs = 1000

/** Who ended a call that was put down on a network that does not say: we, where we asked for it, or the limit. */
export function endOfHungUp(call: CallRow, { answeredMs, end }: Ending): CallEnd {
  if (end !== 'hung_up' && end !== 'cancelled') return end
  switch (call.hang_up) {
    case 'no_credits':
      return 'limit'
    case 'call_blocked':
      return 'blocked'
    case 'already_settled':
      return 'server_stopping'
    // Asked for at the limit, it may have been over long before.
    case 'limit':
    case null:
      return answeredMs !== null && answeredMs >= call.limit_ms - limitToleranceMs ? 'limit' : end
  }
}

/**
 * What a page is told that may believe its call to go on (`call_error`, specification section 4): nothing where
 * somebody hung up or nobody answered, since the voice client tells that itself.
 */
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

/** For how long a call was answered of which nobody knows any more; null where nobody answered. */
export function lastKnownMs(call: CallRow, now: Date): number | null {
  if (call.answered_at === null) return null
  if (call.carrier_leg !== null)
    return Math.max(1, call.alive_ms ?? now.getTime() - call.answered_at.getTime())
  if (call.alive_ms !== null) return call.alive_ms
  const until = call.heartbeat_at ?? call.answered_at
  return Math.max(0, until.getTime() - call.answered_at.getTime())
}

/** When an answered call ended, however late it is settled. */
export function endOf(call: CallRow, answeredMs: number | null): Date | undefined {
  if (call.answered_at === null || answeredMs === null) return undefined
  return new Date(call.answered_at.getTime() + answeredMs)
}

/** As what an ended call goes into the history. */
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
