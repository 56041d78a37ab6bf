import { texts } from '#lib/rules/error-texts.ts'
import type { CallEnd, RefusalCode } from '../port.ts'
import type { WireError } from './frames.ts'

/** How the client is told that we refused a call before it was placed: our own message, word for word. */
export function refusalError(code: RefusalCode, message: string): WireError {
  switch (code) {
    case 'invalid_number':
      return { code: 31404, message }
    // A number of our own, which the client knows nothing of and hands on: the page has to tell this refusal from others.
    case 'not_free':
      return { code: 31902, message }
    case 'unsupported_destination':
    case 'emergency_number':
    case 'no_credits':
    case 'call_blocked':
    case 'email_unverified':
    case 'too_many_calls':
    case 'caller_id_not_verified':
    case 'free_call_limit':
    case 'call_limit':
    case 'rate_limit':
    case 'destination_paused':
    case 'destination_locked':
    case 'call_cap':
    case 'month_cap':
    case 'test_call':
    case 'unavailable':
      return { code: 31002, message }
    default:
      return code satisfies never
  }
}

/** How the client is told why a call ended; undefined for a plain hang-up, which is no error. */
export function endError(end: CallEnd): WireError | undefined {
  switch (end) {
    case 'hung_up':
    case 'caller_hung_up':
    case 'callee_hung_up':
    case 'cancelled':
    // The time was up: the page reads the reason from the call's record, as with any carrier.
    case 'limit':
      return undefined
    case 'busy':
      return { code: 31486, message: 'The line is busy.' }
    case 'declined':
      return { code: 31603, message: 'The call was declined.' }
    case 'no_answer':
      return { code: 31480, message: 'Nobody answered.' }
    case 'invalid_number':
      return { code: 31404, message: texts.calls.unrecognised_number }
    case 'blocked':
      return { code: 31002, message: texts.calls.call_blocked }
    case 'connection_lost':
      return { code: 31003, message: 'The connection was lost, so the call was ended.' }
    case 'server_stopping':
      return { code: 31005, message: 'Our server is restarting, so the call was ended.' }
    case 'failed':
      return { code: 31000, message: 'The call could not be connected.' }
    default:
      return end satisfies never
  }
}

/** Errors about the socket and its token, in the client's own numbers. */
export const tokenInvalid: WireError = { code: 31204, message: 'The voice token is not valid.' }
export const tokenExpired: WireError = { code: 31205, message: 'The voice token has expired.' }
/** A call without a valid token. */
export const notAuthenticated: WireError = { code: 31201, message: 'The voice token is not valid any more.' }
/** A call that we do not know (any more), for instance after a restart. */
export const callUnknown: WireError = { code: 31209, message: 'The call has ended.' }

/** How the telephone that was called is told why a call ended; undefined for a plain hang-up. */
export function farEndError(end: CallEnd): WireError | undefined {
  switch (end) {
    case 'connection_lost':
    case 'server_stopping':
    case 'failed':
      return endError(end)
    default:
      // What concerns the caller's account, or the time that was up, is nobody else's business.
      return undefined
  }
}
