import type { Services } from '../../context.ts'
import { readCalledCountries, readCalls, readCredits, readVerificationCalls } from './call-tables.ts'
import { moneyColumns } from './cells.ts'
import { exportTexts } from './export-texts.ts'
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

const browserColumns = {
  engine: 'chromium, firefox, webkit, other',
  engine_version: '',
  system: 'ios, android, windows, macos, linux, chromeos, other',
}

/** Everything that is kept about a user, in the order of the README and in its language. */
export const exportTables = (): readonly ExportTable[] => [
  {
    name: 'account',
    about: exportTexts.account,
    columns: {
      id: exportTexts.accountId,
      email: '',
      pending_email: exportTexts.pendingEmail,
      name: '',
      language: exportTexts.language,
      created_at: exportTexts.createdAt,
      email_verified_at: '',
      has_password: '',
      google_email: exportTexts.googleEmail,
      ...moneyColumns('balance', exportTexts.balance),
      can_call: '',
      blocked_reason: exportTexts.blockedReason,
      free_call: exportTexts.freeCall,
      auto_topup_enabled: '',
      saved_card_brand: '',
      saved_card_last4: exportTexts.last4,
      saved_card_consented_at: exportTexts.consentedAt,
      referral_code: exportTexts.referralCode,
      came_by_link_at: exportTexts.cameByLink,
      heard_about: exportTexts.heardAbout,
      heard_about_detail: '',
    },
    read: readAccount,
  },
  {
    name: 'devices',
    about: exportTexts.devices,
    columns: {
      id: '',
      device: '',
      kind: '',
      signed_in_at: '',
      last_seen_at: '',
      signed_in_now: '',
      ...browserColumns,
    },
    read: readDevices,
  },
  {
    name: 'second-factors',
    about: exportTexts.secondFactors,
    columns: {
      kind: 'passkey, authenticator_app, recovery_code',
      name: exportTexts.passkeyName,
      added_at: '',
      last_used_at: exportTexts.factorLastUsed,
    },
    read: readSecondFactors,
  },
  {
    name: 'spending',
    about: exportTexts.spending,
    columns: {
      ...moneyColumns('per_call', exportTexts.perCall),
      ...moneyColumns('per_month', exportTexts.perMonth),
      locked: exportTexts.country,
      changed_at: '',
    },
    read: readSpending,
  },
  {
    name: 'contacts',
    about: exportTexts.contacts,
    columns: {
      id: '',
      name: '',
      phone_number: '',
      country: exportTexts.country,
      extension: exportTexts.extension,
      favourite: '',
      notes: exportTexts.notes,
      created_at: '',
    },
    read: readContacts,
  },
  {
    name: 'caller-ids',
    about: exportTexts.callerIds,
    columns: { phone_number: '', verified_at: '' },
    read: readCallerIds,
  },
  {
    name: 'verification-calls',
    about: exportTexts.verificationCalls,
    columns: { id: '', phone_number: '', asked_at: '', outcome: '', ended_at: '' },
    read: readVerificationCalls,
  },
  {
    name: 'calls',
    about: exportTexts.calls,
    columns: {
      id: '',
      to: exportTexts.callee,
      country: exportTexts.country,
      caller_id: exportTexts.callerId,
      placed_at: '',
      answered_at: '',
      ended_at: '',
      talked_seconds: exportTexts.talked,
      outcome: '',
      measured_seconds: exportTexts.measured,
      heard_seconds: exportTexts.heard,
      mos: exportTexts.mos,
      loss_percent: exportTexts.loss,
      jitter_ms: exportTexts.jitter,
      round_trip_ms: '',
      ...browserColumns,
      ...moneyColumns('credited', exportTexts.credited),
      credit_reason: 'short, no_sound, claim',
      free: exportTexts.free,
      test: exportTexts.test,
      minutes_charged: exportTexts.minutesCharged,
      ...moneyColumns('rate_per_minute', exportTexts.rate),
      ...moneyColumns('surcharge_per_minute', exportTexts.surcharge),
      ...moneyColumns('cost', exportTexts.cost),
    },
    read: readCalls,
  },
  {
    name: 'called-countries',
    about: exportTexts.calledCountries,
    columns: {
      country: exportTexts.country,
      first_answered_at: exportTexts.firstAnswered,
      last_placed_at: '',
      calls: exportTexts.answeredCalls,
      minutes: exportTexts.minutesCharged,
    },
    read: readCalledCountries,
  },
  {
    name: 'credits',
    about: exportTexts.credits,
    columns: {
      id: '',
      at: '',
      kind: '',
      description: exportTexts.description,
      ...moneyColumns('amount', exportTexts.aboveZero),
      ...moneyColumns('balance_after', ''),
      call_id: exportTexts.ofCall,
      payment_id: exportTexts.ofPayment,
    },
    read: readCredits,
  },
  {
    name: 'payments',
    about: exportTexts.payments,
    columns: {
      id: '',
      kind: exportTexts.paymentKind,
      state: '',
      created_at: '',
      paid_at: '',
      receipt: exportTexts.receipt,
      reference: exportTexts.reference,
      ...moneyColumns('amount', exportTexts.paid),
      ...moneyColumns('bonus', exportTexts.bonus),
      ...moneyColumns('held', exportTexts.held),
      released_at: exportTexts.releasedAt,
      ...moneyColumns('refunded', ''),
      billed_name: '',
      billed_email: '',
      card_brand: '',
      card_last4: '',
      failure: exportTexts.failure,
    },
    read: readPayments,
  },
  {
    name: 'refunds',
    about: exportTexts.refunds,
    columns: {
      id: exportTexts.reference,
      kind: 'refund, dispute',
      payment_id: '',
      state: '',
      requested_by: exportTexts.requestedBy,
      created_at: '',
      ...moneyColumns('amount', ''),
    },
    read: readRefunds,
  },
  {
    name: 'booklets',
    about: exportTexts.booklets,
    columns: {
      id: exportTexts.bookletId,
      kind: 'sent, redeemed',
      from_name: '',
      to_name: '',
      message: '',
      recipient_email: exportTexts.recipient,
      ...moneyColumns('amount', ''),
      at: exportTexts.bookletAt,
      redeemed_at: '',
    },
    read: readGifts,
  },
  {
    name: 'referrals',
    about: exportTexts.referrals,
    columns: {
      email: '',
      joined_at: '',
      state: exportTexts.referralState,
      due_at: '',
      ...moneyColumns('earned', exportTexts.earned),
    },
    read: readReferrals,
  },
  {
    name: 'feedback',
    about: exportTexts.feedback,
    columns: { id: '', call_id: '', score: '1–5', issue: '', comment: '', created_at: '' },
    read: readFeedback,
  },
]
