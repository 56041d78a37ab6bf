import type { Services } from '../../context.ts'
import { readCalledCountries, readCalls, readCredits, readVerificationCalls } from './call-tables.ts'
import { moneyColumns } from './cells.ts'
import {
  readCallerIds,
  readContacts,
  readDevices,
  readFeedback,
  readSecondFactors,
  readSpending,
} from './own-tables.ts'
import type { ExportRow } from './paged.ts'
import { readGifts, readPayments, readRefunds } from './payment-tables.ts'
import { readAccount, readReferrals } from './person-tables.ts'

/** One kind of record. Holds only the user's own data and no secrets: no hashes, tokens or internal notes. */
export interface ExportTable {
  /** Of its files, without extension. */
  readonly name: string
  readonly about: string
  /** Columns in the order of the CSV file, with explanations where needed. */
  readonly columns: Readonly<Record<string, string>>
  /** @param until excludes later records */
  readonly read: (services: Services, userId: string, until: Date) => AsyncIterable<readonly ExportRow[]>
}

/** Everything that is kept about a user, in the order of the README. */
export const exportTables: readonly ExportTable[] = [
  {
    name: 'account',
    about: 'You, your settings and your balance, in one line.',
    columns: {
      id: 'our number for you',
      email: '',
      pending_email: 'a new address that waits for its confirmation',
      name: '',
      language: 'of the pages you read last, and of our e-mails to you',
      created_at: 'when you signed up',
      email_verified_at: '',
      has_password: '',
      google_email: 'the address of the Google account that logs in to this one',
      ...moneyColumns('balance', 'your credits'),
      can_call: '',
      blocked_reason: 'why you may not call',
      free_call: 'whether your free call is available, reserved by a call, or used',
      auto_topup_enabled: '',
      saved_card_brand: '',
      saved_card_last4: 'the last four digits; we do not know the others',
      saved_card_consented_at: 'when you allowed us to keep it',
      referral_code: 'what stands behind ?ref= in your link',
      came_by_link_at: 'when you came by the link of somebody else',
      heard_about: 'where you heard about us',
      heard_about_detail: '',
    },
    read: readAccount,
  },
  {
    name: 'devices',
    about: 'Each time somebody logged in to your account, for as long as we keep it.',
    columns: { id: '', device: '', kind: '', signed_in_at: '', last_seen_at: '', signed_in_now: '' },
    read: readDevices,
  },
  {
    name: 'second-factors',
    about: 'Your passkeys, your authenticator app and your recovery codes, without their secrets.',
    columns: {
      kind: 'passkey, authenticator_app or recovery_code',
      name: 'what you call a passkey',
      added_at: '',
      last_used_at: 'empty: never yet; a recovery code works once',
    },
    read: readSecondFactors,
  },
  {
    name: 'spending',
    about: 'Your spending limits, and the countries you locked.',
    columns: {
      ...moneyColumns('per_call', 'the most for a call; empty: no cap'),
      ...moneyColumns('per_month', 'the most in a calendar month of UTC; empty: no cap'),
      locked: 'two letters each, ISO 3166',
      changed_at: '',
    },
    read: readSpending,
  },
  {
    name: 'contacts',
    about: 'The numbers you saved.',
    columns: {
      id: '',
      name: '',
      phone_number: '',
      country: 'two letters, ISO 3166',
      extension: 'played after the answer',
      favourite: '',
      notes: 'what you wrote beside it',
      created_at: '',
    },
    read: readContacts,
  },
  {
    name: 'caller-ids',
    about: "Your own numbers that you've verified.",
    columns: { phone_number: '', verified_at: '' },
    read: readCallerIds,
  },
  {
    name: 'verification-calls',
    about: 'The calls we made to verify a number for you.',
    columns: { id: '', phone_number: '', asked_at: '', outcome: '', ended_at: '' },
    read: readVerificationCalls,
  },
  {
    name: 'calls',
    about: 'Your calls, for as long as we keep them.',
    columns: {
      id: '',
      to: 'the number called',
      country: 'two letters, ISO 3166',
      caller_id: 'the number shown; empty: ours',
      placed_at: '',
      answered_at: '',
      ended_at: '',
      talked_seconds: 'rounded up',
      outcome: '',
      measured_seconds: 'how much of the call your browser measured; empty: nothing',
      heard_seconds: 'of these, with any sound from the other end',
      mos: 'mean opinion score, 1 to 5',
      loss_percent: 'packets that did not reach you',
      jitter_ms: 'how unevenly they reached you',
      round_trip_ms: '',
      ...moneyColumns('credited', 'given back because the call was bad'),
      credit_reason: 'short, no_sound or claim',
      free: 'your free call, or a test call',
      test: 'a free call to your own number',
      minutes_charged: 'each minute that began',
      ...moneyColumns('rate_per_minute', 'the price of a minute when it was placed'),
      ...moneyColumns('surcharge_per_minute', 'how much of that was added for showing your own number'),
      ...moneyColumns('cost', 'what it cost you'),
    },
    read: readCalls,
  },
  {
    name: 'called-countries',
    about: 'The countries in your album, including those whose calls we no longer keep.',
    columns: {
      country: 'two letters, ISO 3166',
      first_answered_at: 'when somebody there first answered you',
      last_placed_at: '',
      calls: 'how many were answered',
      minutes: 'each minute that began',
    },
    read: readCalledCountries,
  },
  {
    name: 'credits',
    about: 'Every movement on your balance, newest first.',
    columns: {
      id: '',
      at: '',
      kind: '',
      description: 'the same in words',
      ...moneyColumns('amount', 'above zero: credits that came'),
      ...moneyColumns('balance_after', ''),
      call_id: 'the call that it is for',
      payment_id: 'the payment that it is of',
    },
    read: readCredits,
  },
  {
    name: 'payments',
    about: 'What you paid or started to pay, and the receipts.',
    columns: {
      id: '',
      kind: 'checkout: you bought; auto_topup: your saved card was charged; gift: a booklet for somebody else',
      state: '',
      created_at: '',
      paid_at: '',
      receipt: 'the number of the receipt',
      reference: "the card payment provider's name for it",
      ...moneyColumns('amount', 'what you paid'),
      ...moneyColumns('bonus', 'credits that came with it'),
      ...moneyColumns('held', 'the part that waited for a review'),
      released_at: 'when that review was over',
      ...moneyColumns('refunded', ''),
      card_brand: '',
      card_last4: '',
      failure: 'why it did not go through',
    },
    read: readPayments,
  },
  {
    name: 'refunds',
    about: 'Refunds to your card, finished or not, and payments you disputed with your bank.',
    columns: {
      id: "the card payment provider's name for it",
      kind: 'refund or dispute',
      payment_id: '',
      state: '',
      requested_by: 'who asked for a refund',
      created_at: '',
      ...moneyColumns('amount', ''),
    },
    read: readRefunds,
  },
  {
    name: 'booklets',
    about: 'The booklets you bought for others and those you redeemed, without their codes.',
    columns: {
      id: 'of its payment; empty where somebody else paid',
      kind: 'sent or redeemed',
      from_name: '',
      to_name: '',
      message: '',
      recipient_email: 'where the envelope went, until it is redeemed',
      ...moneyColumns('amount', ''),
      at: 'when you paid for it, or redeemed it',
      redeemed_at: '',
    },
    read: readGifts,
  },
  {
    name: 'referrals',
    about: 'Who signed up through your link. Their addresses are masked, as on the page.',
    columns: {
      email: '',
      joined_at: '',
      state: 'pending: due_at says when the reward comes',
      due_at: '',
      ...moneyColumns('earned', 'what it brought you'),
    },
    read: readReferrals,
  },
  {
    name: 'feedback',
    about: 'What you said about your calls.',
    columns: { id: '', call_id: '', score: '1 to 5', issue: '', comment: '', created_at: '' },
    read: readFeedback,
  },
]
