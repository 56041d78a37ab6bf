import type { CarrierCause } from '#lib/calls/call-end.ts'
import { endReasonTexts } from '#lib/calls/end-reason-texts.ts'
import type { RejectionCode } from '../port.ts'
import { endings } from './ending-texts.ts'
import type { WireError } from './frames.ts'

/** The client's error for a rejected call, with our message unchanged. */
export function rejectionError(code: RejectionCode, message: string): WireError {
  switch (code) {
    case 'invalid_number':
      return { code: 31404, message }
    // Our own code, which the client passes on unchanged: the page must tell this rejection from others.
    case 'not_free':
      return { code: 31902, message }
    // Another one: the page offers a top-up.
    case 'no_credits':
    case 'free_call_limit':
      return { code: 31903, message }
    case 'unsupported_destination':
    case 'price_changed':
    case 'emergency_number':
    case 'call_blocked':
    case 'signed_out':
    case 'email_unverified':
    case 'too_many_calls':
    case 'caller_id_not_verified':
    case 'call_limit':
    case 'rate_limit':
    case 'destination_paused':
    case 'destination_locked':
    case 'call_cap':
    case 'month_cap':
    case 'new_customer_cap':
    case 'test_call':
    case 'unavailable':
      return { code: 31002, message }
    default:
      return code satisfies never
  }
}

/** The client's error for a call's end; undefined for a plain hang-up. */
export function endError(end: CarrierCause): WireError | undefined {
  switch (end) {
    case 'hung_up':
    case 'caller_hung_up':
    case 'callee_hung_up':
    case 'cancelled':
    // The page reads the reason from the call's record, as with any carrier.
    case 'limit':
      return undefined
    case 'busy':
      return { code: 31486, message: endReasonTexts.busy }
    case 'declined':
      return { code: 31603, message: endReasonTexts.declined }
    case 'no_answer':
      return { code: 31480, message: endReasonTexts.no_answer }
    case 'invalid_number':
      return { code: 31404, message: endReasonTexts.unrecognised_number }
    case 'blocked':
      return { code: 31002, message: endReasonTexts.call_blocked }
    case 'connection_lost':
      return { code: 31003, message: endings.connectionLost }
    case 'server_stopping':
      return { code: 31005, message: endings.serverStopping }
    // Two of our own codes: to the client 31000 is a failure of the user's network.
    case 'service_failed':
      return { code: 31904, message: endReasonTexts.service_failed }
    case 'failed':
      return { code: 31905, message: endReasonTexts.failed }
    default:
      return end satisfies never
  }
}

/** The caller's sound did not reach us, or its browser's offer could not be used. */
export const mediaFailed = (): WireError => ({ code: 31000, message: endReasonTexts.failed })

/** Errors of the socket and its token, by the client's own codes. */
export const tokenInvalid: WireError = { code: 31204, message: 'The voice token is not valid.' }
export const tokenExpired: WireError = { code: 31205, message: 'The voice token has expired.' }
export const notAuthenticated: WireError = { code: 31201, message: 'The voice token is no longer valid.' }
/** An unknown call, for instance after a restart. */
export const callUnknown: WireError = { code: 31209, message: 'The call has ended.' }
export const messageTypeInvalid: WireError = { code: 31210, message: 'The message type is not valid.' }

export function farEndError(end: CarrierCause): WireError | undefined {
  switch (end) {
    case 'connection_lost':
    case 'server_stopping':
      return endError(end)
    // To a handset it is its sound that stopped.
    case 'failed':
    case 'service_failed':
      return mediaFailed()
    // Why the caller hung up, or could not go on: the caller's account and limits are private.
    case 'hung_up':
    case 'caller_hung_up':
    case 'callee_hung_up':
    case 'cancelled':
    case 'limit':
    case 'blocked':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'invalid_number':
      return undefined
    default:
      return end satisfies never
  }
}
