import type { CommonErrorCode } from '../api/endpoint.ts'

/** When each code of our own is answered. */
export const errorWords: Readonly<Record<string, string>> = {
  wrong_credentials: 'E-mail and password do not match.',
  no_session: 'No refresh cookie, or one whose session is over. Sign in again.',
  link_expired: 'The link was used already or is too old.',
  email_taken: 'Somebody has registered this address meanwhile.',
  wrong_password: 'The password is not the right one.',
  wrong_confirmation: "What was typed is not the account's e-mail address.",
  call_in_progress: 'A call is going on. End it first.',
  payment_in_progress: 'A payment or a refund is under way. It passes by itself.',
  no_credits: 'The balance is empty and no free call is left.',
  call_blocked: 'Calling is restricted for this account.',
  email_unverified: 'The e-mail address is not confirmed yet.',
  unsupported_destination: 'We do not call there.',
  invalid_number: 'This is no telephone number.',
  emergency_number: 'Emergency services cannot be reached from here.',
  already_verified: 'This number is verified already.',
  not_verifiable:
    'The telephone network does not verify this number for you: it may be verified for somebody else.',
  too_soon: 'The last verification call was less than a minute ago.',
  too_many_verifications: 'By default three verification calls a day for a user and for a number.',
  not_ended: 'The call goes on. Its receipt is there once it has ended.',
  number_refused: 'The number cannot be saved. The message says why.',
  already_saved: 'This number is saved under another name.',
  too_many_contacts: '500 contacts are saved already.',
  too_many_favourites: 'There are 8 favourites already.',
  nothing_charged: 'Nothing was charged for the call.',
  already_credited: 'The call was given back by itself.',
  claim_limit: 'By default three claims of a user in 30 days.',
  credits_mismatch: 'The credits are not what this amount buys.',
  too_many_checkouts: 'Too many checkouts were opened. Wait an hour.',
  payments_unavailable: 'The payment provider cannot be reached. Nothing was charged.',
  no_saved_card: 'No card is saved that could be charged.',
  already_asked: 'A refund of this payment was asked for already.',
  refund_under_way: 'Support is refunding this payment, and the bank has not answered yet.',
  too_late: 'The 7 days in which it can be asked for are over.',
  disputed: 'The payment is disputed with the bank.',
  nothing_unused: 'The credits of this payment are used.',
  amount_changed: 'The balance has changed, and the refund with it.',
  refund_refused: 'The refund did not go through. The credits are back on the balance.',
}

/** When any endpoint answers these, and the name of the response in the document. */
export const commonErrorWords: Readonly<Record<CommonErrorCode, readonly [component: string, when: string]>> =
  {
    invalid_request: ['InvalidRequest', 'Something in the request is not right; errors names the fields.'],
    unauthorized: ['Unauthorized', 'No access token, or one that has run out.'],
    forbidden_origin: ['ForbiddenOrigin', "The request came from another site's page."],
    not_found: ['NotFound', 'There is nothing at this address that is yours.'],
    too_large: ['TooLarge', 'The body is larger than 64 KB.'],
    too_many_requests: ['TooManyRequests', 'Wait for the seconds that Retry-After names.'],
    internal: ['Internal', 'A fault of ours. Try again.'],
    unavailable: [
      'Unavailable',
      'The database is away for a moment. Wait for the seconds that Retry-After names.',
    ],
  }
