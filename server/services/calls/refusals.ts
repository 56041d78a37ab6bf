import type { RefusalCode } from '../../telephony/port.ts'

/** What the caller reads when an attempt is refused: specification section 8 where it has a text. */
export const refusalMessage: Readonly<Record<RefusalCode, string>> = {
  invalid_number: 'Unrecognised number. Please check the number and try again.',
  unsupported_destination: 'This destination is currently not supported.',
  emergency_number:
    'Farline does not support calling emergency services. Please use a mobile or landline phone.',
  no_credits: "You don't have enough credits to make this call",
  call_blocked: 'Your account has been restricted from making calls. Contact support for help.',
  email_unverified: 'Please verify your email before making calls.',
  too_many_calls: 'You already have a call in progress. Hang up there before you start another.',
  caller_id_not_verified: 'That caller ID is not verified for your account. Choose another and try again.',
  unavailable: 'Something went wrong. Please try again.',
}
