import { describe, expect, test } from 'vitest'
import { texts as contacts } from '#islands/dialler/contacts/texts.ts'
import { texts as realtime } from '#session/realtime-texts.ts'
import { autoTopUp } from '#shared/auto-top-up/texts.ts'
import { texts as callerIds } from '#shared/caller-ids/texts.ts'
import { checkout } from '#shared/checkout/texts.ts'
import { contactTexts } from '#shared/contacts-texts.ts'
import { cautionTexts } from '#shared/numbers/caution-texts.ts'
import { endReasonOf } from '#voice/error-codes.ts'
import { texts as inCall } from '../islands/dialler/call/texts.ts'
import { texts as dialler } from '../islands/dialler/texts.ts'
import { endReasonTexts as calls } from './calls/end-reason-texts.ts'
import { endReasonText, tokenEndReason } from './calls/end-reasons.ts'
import { paymentTexts } from './money/payment-texts.ts'
import { callerIdTexts } from './numbers/caller-id-texts.ts'
import { emergencyMessage } from './numbers/emergency.ts'
import { numberTexts } from './numbers/number-texts.ts'
import { parseNumber, verdictMessage } from './numbers/phone.ts'

/** SPEC-8.1 to SPEC-8.23, row by row and letter by letter. */
const catalogue: readonly (readonly [situation: string, text: string, ours: string])[] = [
  ['checkout answer without url', 'Could not create checkout session', checkout.noUrl],
  ['checkout exception', 'An error occurred. Please try again.', checkout.failed],
  [
    'token 403 call_blocked',
    'Your account has been restricted from making calls. Contact support for help.',
    endReasonText(tokenEndReason(403, 'call_blocked')),
  ],
  [
    'token 403 other',
    'Please verify your email before making calls.',
    endReasonText(tokenEndReason(403, 'email_unverified')),
  ],
  [
    'token 402',
    'You do not have enough credits to make this call.',
    endReasonText(tokenEndReason(402, 'no_credits')),
  ],
  [
    'token generic failure',
    'Something went wrong. Please try again.',
    endReasonText(tokenEndReason(500, undefined)),
  ],
  [
    'credits fetch failure',
    'Error when fetching credits. Try again now',
    `${inCall.creditsFailed} ${inCall.creditsRetry}`,
  ],
  ['contact saved', 'Contact saved!', contactTexts.saved],
  ['contact save other failure', 'Could not save contact.', contactTexts.saveFailed],
  ['contact save without an answer', 'Something went wrong.', contactTexts.saveUnanswered],
  ['contact deleted', 'Contact deleted', contacts.deleted],
  ['contact delete failed', 'Failed to delete contact', contacts.deleteFailed],
  [
    'unknown number',
    'Unrecognised number. Please check the number and try again.',
    calls.unrecognised_number,
  ],
  ['call start, credits', "You don't have enough credits to make this call", calls.start_no_credits],
  ['call start, other', 'Make sure your email is verified and you got enough credits', calls.start_refused],
  ['socket trouble', 'Connection issue - some features may not work', realtime.socketTrouble],
  ['verification request failure', 'Could not start verification.', callerIdTexts.requestFailed],
  ['verification started', 'We will call you shortly. Enter the code when asked.', callerIds.started],
]

/** What else the specification has its users read: SPEC-2.2, SPEC-2.38, SPEC-4.7 to SPEC-4.22, SPEC-5.2 to SPEC-5.13. */
const elsewhere = [
  ['This destination is currently not supported.', numberTexts.unsupported],
  ['Caution: This number may be blocked or fail to connect.', cautionTexts.risky],
  ['Low credits! Call will end soon.', inCall.lowCredits],
  ['Credits added successfully!', paymentTexts.added],
  ['Sign up to start calling', dialler.signUp],
  ['Sign up to buy credits', checkout.visitor],
  ['Please select or enter a valid amount (minimum $5)', checkout.noAmount],
  ['Minimum custom amount is $5', checkout.tooLittle],
  ['Maximum custom amount is $4000', checkout.tooMuch],
  ['Auto top-up disabled.', autoTopUp.disabled],
  ['Auto top-up enabled.', autoTopUp.enabled],
  ['Make a credit purchase to save your card for auto top-up', autoTopUp.needsCard],
  ['Number successfully verified!', callerIds.verified],
  ['Enter a valid phone number with country code. Example: +447123456789', callerIdTexts.invalid],
] as const

describe('a text of the specification', () => {
  test.each(catalogue)('%s', (_, text, ours) => {
    expect(ours).toBe(text)
  })

  test.each(elsewhere)('%s', (text, ours) => {
    expect(ours).toBe(text)
  })

  test('is what the number rules say', () => {
    const said = (typed: string) => verdictMessage(parseNumber(typed, { isoCode: 'US', dialCode: '+1' }))
    expect([said('911'), said('+999123456789'), said('212555'), said('12')]).toEqual([
      emergencyMessage(),
      numberTexts.unsupported,
      numberTexts.unrecognised,
      numberTexts.tooShort,
    ])
    expect(emergencyMessage()).toMatch(/does not support calling emergency services/)
  })
})

/** The voice conditions that users see (SPEC-8.24), old and new numbers (PD-29). */
const conditions = [
  [[31208, 31401], calls.microphone_denied],
  [[31402], calls.microphone_missing],
  [[31201, 20151], calls.authentication_failed],
  [[31204, 20101], calls.token_invalid],
  [[31205, 20104], calls.token_expired],
  [[31000, 53400, 53402, 53405], calls.media_failed],
  [[31003], calls.connection_interrupted],
  [[31404, 31400, 31484], calls.unrecognised_number],
  [[31002], calls.start_refused],
] as const

describe('the voice client’s conditions', () => {
  test.each(conditions)('the codes %j are one condition: %s', (codes, text) => {
    for (const code of codes) expect(endReasonText(endReasonOf({ code, message: null }, false))).toBe(text)
  })

  test('names what ends a call in progress in the same way', () => {
    const kinds = [31000, 53405, 31003, 31201, 31204, 20104].map(
      code => endReasonOf({ code, message: null }, true).kind,
    )
    expect(kinds).toEqual([
      'media_failed',
      'media_failed',
      'connection_interrupted',
      'authentication_failed',
      'token_invalid',
      'token_expired',
    ])
  })

  test('those that the specification gives no text have these', () => {
    expect([
      calls.microphone_busy,
      calls.authentication_failed,
      calls.token_invalid,
      calls.token_expired,
    ]).toEqual([
      'Another app is using the microphone. Close it, then call.',
      "We couldn't confirm who you are. Log in again, then call.",
      "We couldn't start the call. Please try again.",
      'Please try calling again.',
    ])
    expect([calls.media_failed, calls.connection_interrupted]).toEqual([
      'No sound got through. Check your network, then call again.',
      'Connection interrupted. Check your network, then call again.',
    ])
  })

  test('three have their texts from the client itself', () => {
    expect([calls.already_active, calls.client_destroyed, calls.client_disconnected]).toEqual([
      'A Call is already active',
      'Device has been destroyed.',
      'Cannot establish connection. Client is disconnected',
    ])
  })
})
