/**
 * Why a call ended, or never began, and the sentence for each: the one table from condition to text
 * (specification section 8; decision 29 folds the voice client's code families into these names). Where
 * the specification has no text of its own, ours fit two lines of a small screen.
 */
export const endings = {
  // The ordinary ends. What they cost is told from the call's record (call-summary.ts).
  caller_hung_up: 'You hung up.',
  callee_hung_up: 'They hung up.',
  cancelled: 'You cancelled the call. Nothing was charged.',
  no_answer: 'Nobody answered. Nothing was charged.',
  busy: 'The line is busy. Nothing was charged.',
  declined: 'The call was declined. Nothing was charged.',
  unavailable: 'The phone cannot be reached right now. Nothing was charged.',

  // The token: refused before anything rings.
  call_blocked: 'Your account has been restricted from making calls. Contact support for help.',
  email_unverified: 'Please verify your email before making calls.',
  no_credits: 'You do not have enough credits to make this call.',
  token_failed: 'Something went wrong. Please try again.',

  // The microphone.
  microphone_denied: 'The microphone is blocked. Allow it for this site, then call again.',
  microphone_missing: 'No microphone found. Connect or switch one on, then call again.',
  microphone_busy: 'Another app uses the microphone. Close it, then call.',

  // The voice service.
  unrecognised_number: 'Unrecognised number. Please check the number and try again.',
  start_no_credits: "You don't have enough credits to make this call",
  start_refused: 'Make sure your email is verified and you got enough credits',
  too_many_calls: 'Too many calls. Wait a little, then call again.',
  already_active: 'A Call is already active',
  client_destroyed: 'Device has been destroyed.',
  client_disconnected: 'Cannot establish connection. Client is disconnected',
  authentication_failed: 'We could not confirm who you are. Log in again, then call.',
  token_invalid: 'Your permission to call was not accepted. Please try again.',
  token_expired: 'Your permission to call ran out. Please try again.',
  media_failed: 'No sound got through. Check your network, then call again.',
  connection_interrupted: 'Connection interrupted. Check your network, then call again.',
  connection_lost: 'Connection to the service lost. Checking what was charged.',
  /** The service stopped, or has come back without the call. */
  service_restarted: 'The call was cut off. Checking what was charged.',
  failed: 'The call could not be connected. Nothing was charged.',
} as const

export type EndingKind = keyof typeof endings

/** An ending without details, or a refusal in the server's own words. */
export type CallEnding =
  | { readonly kind: EndingKind }
  | { readonly kind: 'refused'; readonly message: string }

/** Why no call token was given (specification sections 7 and 8). `status` 0: no answer came. */
export function tokenEnding(status: number, reason: string | undefined): CallEnding {
  if (status === 402) return { kind: 'no_credits' }
  if (status === 403) return { kind: reason === 'call_blocked' ? 'call_blocked' : 'email_unverified' }
  if (status === 401) return { kind: 'authentication_failed' }
  return { kind: 'token_failed' }
}

export function endingText(ending: CallEnding): string {
  return ending.kind === 'refused' ? ending.message : endings[ending.kind]
}

/** Whether the call went its ordinary way: somebody hung up, or nobody could or would answer. */
export function isOrdinary(ending: CallEnding): boolean {
  switch (ending.kind) {
    case 'caller_hung_up':
    case 'callee_hung_up':
    case 'cancelled':
    case 'no_answer':
    case 'busy':
    case 'declined':
    case 'unavailable':
      return true
    default:
      return false
  }
}
