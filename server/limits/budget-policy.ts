import { mailGapSeconds, resetLinkMinutes } from '#lib/account/account.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'

/** What we pay for without being paid, each with a budget. `docs/limits.md` is generated from this table (ADR-48). */
export const budgetKinds = [
  'brief_free_call',
  'free_call',
  'test_call',
  'answer_unheard',
  'unanswered_ring',
  'unanswered_ring_paid',
  'verification_call',
  'line_check',
  'mail',
  'confirmation_mail',
  'confirmation_gap',
  'reset_mail',
  'notice_mail',
  'first_notice',
  'support_mail',
  'gift_mail',
  'gift_redeem',
  'goodwill',
  'refund',
] as const
export type BudgetKind = (typeof budgetKinds)[number]

/**
 * The subject whose uses a bound counts. `mailbox`: all addresses of one mailbox (server/identity/mailbox.ts). `mail_domain`: all
 * of a domain that is no large provider's (server/identity/mail-domain.ts). `address`: an IPv4 address or an IPv6 /64. `network`: an
 * IPv4 /24 or an IPv6 /48. `allocation`: an IPv6 /32, as providers have them. `account_to_callee`: one account calling one number.
 * `recipient`: one e-mail address as typed. `card`: one payment card, whoever pays with it. `prefix`: a tariff prefix.
 */
export const budgetScopes = [
  'account',
  'mailbox',
  'mail_domain',
  'device',
  'address',
  'network',
  'allocation',
  'account_to_callee',
  'callee',
  'recipient',
  'card',
  'prefix',
  'everyone',
] as const
export type BudgetScope = (typeof budgetScopes)[number]

/**
 * A window begins with its first use; for `prefix` and `everyone` it is the UTC day. Money: minutes at the tariff's rate, or
 * what is refunded or credited.
 */
export type Bound = { readonly per: BudgetScope; readonly windowSeconds: number } & (
  | { readonly maxUses: number }
  | { readonly maxMicroUsd: number }
)

export type Budgets = Readonly<Record<BudgetKind, readonly Bound[]>>

/** The bounds that configuration can change. */
export interface BudgetSettings {
  /** Per address, device and callee. */
  readonly freeCallsPerMonth: number
  /** Per account and per number. */
  readonly verificationCallsPerDay: number
}

export const defaultBudgetSettings: BudgetSettings = {
  freeCallsPerMonth: 3,
  verificationCallsPerDay: 3,
}

/** Share of a daily budget at which the alert fires and the log warns. */
export const budgetAlertShare = 0.7

/** Min time between two verification calls for one account or to one number. */
const verificationGapSeconds = 60

/** Estimated length of a verification call, in minutes. */
export const verificationMinutes = 1

const hour = 3600
const day = 24 * hour
const month = 30 * day

const uses = (per: BudgetScope, maxUses: number, windowSeconds: number): Bound => ({
  per,
  maxUses,
  windowSeconds,
})
const usd = (per: BudgetScope, maxUsd: number, windowSeconds = day): Bound => ({
  per,
  maxMicroUsd: maxUsd * microUsdPerUsd,
  windowSeconds,
})

/** What we give away, by what one person can have thousands of mailboxes and addresses in. A mobile network may be one /32. */
const ofManyPeople = [uses('mail_domain', 20, day), uses('allocation', 40, day)]

export function createBudgets(settings: BudgetSettings): Budgets {
  const { freeCallsPerMonth, verificationCallsPerDay } = settings
  return {
    // One per account: `app_user.free_call`.
    free_call: [
      uses('mailbox', 1, month),
      ...ofManyPeople,
      uses('device', freeCallsPerMonth, month),
      uses('address', freeCallsPerMonth, month),
      uses('network', Math.max(10, freeCallsPerMonth), day),
      uses('callee', freeCallsPerMonth, month),
      usd('prefix', 15),
      usd('everyone', 50),
    ],
    // Answered free calls under 10 s, or cut by our restart, after which the free call stays available (ADR-63).
    brief_free_call: [
      uses('account', 2, month),
      uses('mailbox', 2, month),
      ...ofManyPeople,
      uses('device', freeCallsPerMonth, month),
      uses('address', freeCallsPerMonth, month),
      uses('network', Math.max(10, freeCallsPerMonth), day),
      uses('callee', freeCallsPerMonth, month),
      usd('prefix', 3),
      usd('everyone', 10),
    ],
    test_call: [
      uses('account', 1, 7 * day),
      uses('mailbox', 2, 7 * day),
      ...ofManyPeople,
      uses('device', 5, month),
      uses('address', 5, month),
      uses('network', 10, day),
      uses('callee', 5, month),
      usd('prefix', 3),
      usd('everyone', 10),
    ],
    // Charged calls that a carrier bills from the answer on, and in which the caller was never heard (ADR-75). What is within the
    // bounds may be refunded. An account beyond its own bound cannot call.
    answer_unheard: [usd('account', 5), usd('prefix', 10), usd('everyone', 25)],
    // Unanswered and ringing calls of accounts that never paid.
    unanswered_ring: [
      uses('account', 30, day),
      uses('mailbox', 30, day),
      uses('device', 40, day),
      uses('address', 40, day),
      uses('network', 120, day),
      uses('callee', 6, hour),
      uses('callee', 10, day),
      uses('prefix', 300, day),
      uses('everyone', 3000, day),
    ],
    // The same for accounts that have paid. The first bound allows retries to a busy relative, but not ringing someone all day.
    // The second is far above it, so that one account cannot make a number unreachable for all others (ADR-58).
    unanswered_ring_paid: [uses('account_to_callee', 20, day), uses('callee', 200, day)],
    verification_call: [
      uses('account', 1, verificationGapSeconds),
      uses('callee', 1, verificationGapSeconds),
      uses('account', verificationCallsPerDay, day),
      uses('callee', verificationCallsPerDay, day),
      uses('mailbox', Math.max(5, verificationCallsPerDay), day),
      uses('mail_domain', 20, day),
      uses('device', Math.max(5, verificationCallsPerDay), day),
      uses('address', Math.max(10, verificationCallsPerDay), day),
      uses('network', Math.max(30, verificationCallsPerDay), day),
      usd('prefix', 3),
      usd('everyone', 20),
    ],
    line_check: [
      uses('account', 10, day),
      uses('mailbox', 10, day),
      uses('device', 15, day),
      uses('address', 20, day),
      uses('network', 60, day),
      uses('everyone', 500, day),
    ],
    // E-mails that anybody can trigger: confirmation, reset, address change. Resets have bounds of their own for mailbox and
    // everyone: otherwise a flood of confirmations could keep people from choosing a password.
    mail: [
      uses('account', 10, day),
      uses('mailbox', 10, hour),
      uses('mailbox', 20, day),
      uses('address', 30, hour),
      uses('network', 300, day),
    ],
    // Confirmations, by recipient.
    confirmation_mail: [uses('recipient', 5, hour), uses('everyone', 3000, day)],
    confirmation_gap: [uses('recipient', 1, mailGapSeconds)],
    // The window is the lifetime of a reset link: the user always has a valid link or can get another e-mail.
    reset_mail: [
      uses('recipient', 1, mailGapSeconds),
      uses('recipient', 5, resetLinkMinutes * 60),
      uses('everyone', 2000, day),
    ],
    // Notices of an account's own actions, to a confirmed address. Each kind of notice is counted separately.
    notice_mail: [uses('account', 20, day), uses('mailbox', 30, day), uses('everyone', 20_000, day)],
    // Reserve for the first notices of a day, so that strangers cannot use up the bound and suppress a warning.
    first_notice: [uses('account', 3, day), uses('mailbox', 9, day)],
    support_mail: [uses('network', 60, day), uses('everyone', 1000, day)],
    // Envelopes of paid booklets, to an address that the buyer names: counted for the buyer and for the recipient's mailbox.
    gift_mail: [uses('account', 10, day), uses('mailbox', 3, day), uses('everyone', 2000, day)],
    // Booklets redeemed: a thief's booklets must not gather in few accounts (ADR-65).
    gift_redeem: [
      uses('account', 3, day),
      uses('account', 10, month),
      uses('mailbox', 3, day),
      uses('address', 10, day),
    ],
    // Credits for bad calls, which callers can bring about: many accounts must not add up (ADR-77).
    goodwill: [usd('mailbox', 8, month), usd('card', 8, month), usd('network', 12), usd('everyone', 50)],
    // Refunds that users press for themselves: the provider keeps its fee of each payment. Beyond it an operator decides (ADR-77).
    refund: [usd('account', 500, month), usd('card', 500, month), usd('everyone', 2000)],
  }
}

export const defaultBudgets: Budgets = createBudgets(defaultBudgetSettings)
