import { emergencyMessage } from '#lib/rules/emergency.ts'
import { texts } from '#lib/rules/error-texts.ts'
import { unrecognisedMessage, unsupportedMessage } from '#lib/rules/phone.ts'
import type { RefusalCode } from '../../telephony/port.ts'

/** What the caller reads when an attempt is refused: specification section 8 where it has a text. */
export const refusalMessage: Readonly<Record<RefusalCode, string>> = {
  invalid_number: unrecognisedMessage,
  unsupported_destination: unsupportedMessage,
  emergency_number: emergencyMessage,
  no_credits: texts.calls.start_no_credits,
  call_blocked: texts.calls.call_blocked,
  email_unverified: texts.calls.email_unverified,
  too_many_calls: 'You already have a call in progress. Hang up there first.',
  caller_id_not_verified: 'That caller ID is not verified for your account. Choose another and try again.',
  unavailable: texts.calls.token_failed,
}
