import { messages } from '../i18n/messages.ts'

/*
 * Why a call ended or never began, as the page says it at once (SPEC-4.7 to SPEC-4.22, SPEC-8.3 to SPEC-8.24). The voice
 * client's codes map to these names (PD-29). Where the specification has no text, ours fits two lines of a small screen. The
 * dialler loads this file at its start; what later tells of an ended call is in `outcome-texts.ts`.
 */

/** Without what was charged, which `endReasonText` adds. */
export const endReasonTexts = messages('end-reasons', {
  // Somebody hung up, or the callee did not or could not answer.
  caller_hung_up: 'You hung up.',
  callee_hung_up: 'They hung up.',
  cancelled: 'You cancelled the call.',
  no_answer: 'Nobody answered.',
  busy: 'The line is busy.',
  declined: 'The call was declined.',
  unavailable: "The phone can't be reached right now.",

  // Rejected with the token, before anything rings.
  call_blocked: 'Your account has been restricted from making calls. Contact support for help.',
  email_unverified: 'Please verify your email before making calls.',
  no_credits: 'You do not have enough credits to make this call.',
  token_failed: 'Something went wrong. Please try again.',

  browser_unsupported: "This browser can't make calls. Use Chrome, Edge, Firefox or Safari.",
  page_insecure: 'Calls only work on a secure page. Open this address with https://.',

  microphone_denied: 'The microphone is blocked. Allow it for this site, then call again.',
  microphone_missing: 'No microphone found. Connect or switch one on, then call again.',
  microphone_busy: 'Another app is using the microphone. Close it, then call.',

  unrecognised_number: 'Unrecognised number. Please check the number and try again.',
  start_no_credits: "You don't have enough credits to make this call",
  start_refused: 'Make sure your email is verified and you got enough credits',
  too_many_calls: 'Too many calls. Wait a little, then call again.',
  already_active: 'A Call is already active',
  client_destroyed: 'Device has been destroyed.',
  client_disconnected: 'Cannot establish connection. Client is disconnected',
  authentication_failed: "We couldn't confirm who you are. Log in again, then call.",
  token_invalid: "We couldn't start the call. Please try again.",
  token_expired: 'Please try calling again.',
  media_failed: 'No sound got through. Check your network, then call again.',
  connection_interrupted: 'Connection interrupted. Check your network, then call again.',
  connection_lost: 'Connection to the service lost.',
  /** The service stopped, or came back without the call. */
  service_restarted: 'The call was cut off.',
  failed: "The call couldn't be connected.",
  /** A fault of ours, before the answer: no carrier and no network of the user's is to blame. */
  service_failed: "We couldn't start the call. Please try again.",
})

export const chargeTexts = messages('charges', {
  nothing: 'Nothing was charged.',
  checking: 'Checking what was charged.',
})
