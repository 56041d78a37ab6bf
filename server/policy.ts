import { mailGapSeconds, resetLinkMinutes } from '#lib/rules/account.ts'
import { type CallCreditTerms, defaultCallCreditTerms } from '#lib/rules/call-credit.ts'
import { reviewAboveUsd } from '#lib/rules/credits.ts'
import { microUsdPerUsd } from '#lib/rules/money.ts'
import { defaultFreeCallTerms, type FreeCallTerms } from '#lib/rules/pricing.ts'

/** How long and with how much somebody is our customer decides how far we trust a call (product decisions, 'Fraud limits'). */
export const tiers = ['never_paid', 'newly_paid', 'established'] as const
export type Tier = (typeof tiers)[number]

/** What one account may do. `docs/limits.md` is the table of the defaults, made from here. */
export interface TierLimits {
  /** Calls placed within an hour, answered or not. */
  readonly attemptsPerHour: number
  readonly answeredPerHour: number
  readonly answeredPerDay: number
  /** Live calls at once. */
  readonly concurrentCalls: number
  /** No call lasts longer, whatever the balance. */
  readonly longestCallMinutes: number
  /** Micro-dollars a minute. */
  readonly highestRateMicroUsd: number
}

/**
 * Stops calls to one dear prefix while many accounts call it at once, which people do not and stolen accounts do
 * (reliability row 42).
 */
export interface BreakerPolicy {
  /** Prefixes from this rate on are watched. Micro-dollars a minute. */
  readonly fromRateMicroUsd: number
  /** So many accounts within the window open it. */
  readonly accounts: number
  readonly windowSeconds: number
  /** It closes by itself after this. */
  readonly pauseSeconds: number
}

/** Calls to a user's own number, to see what shows there: free, worth no more a minute than a free call (decision record 41). */
export interface TestCallTerms {
  /** One in so many days for each user. */
  readonly everyDays: number
  readonly longestMinutes: number
  /** In 30 days from one address, from one device and to one number. */
  readonly perMonth: number
}

/** Limits on calls that an owner may move. The defaults are the product decisions'. */
export interface CallPolicy {
  readonly freeCall: FreeCallTerms
  readonly tiers: Readonly<Record<Tier, TierLimits>>
  /** Established is who first paid so long ago, and has paid so much. */
  readonly established: { readonly afterDays: number; readonly paidMicroUsd: number }
  /** Free calls in 30 days from one address, from one device and to one number (decision 20). */
  readonly freeCallsPerMonth: number
  readonly testCall: TestCallTerms
  readonly breaker: BreakerPolicy
  /** Calls in 24 hours that verify a caller ID: for each user, and to each number. */
  readonly verificationCallsPerDay: number
  /** Between two of them, for a user or to a number. */
  readonly verificationGapSeconds: number
  /** Records of calls are dropped when they are so many days old (decision 29). More than the 30 in which free calls count. */
  readonly callRecordsDays: number
  /** What is given back for bad calls (decision 38). */
  readonly credit: CallCreditTerms
}

/** Limits on payments. The defaults are the product decisions' ('Fraud limits'). */
export interface PaymentPolicy {
  /** What one user pays in 24 hours beyond this waits for a review, and the bonus with it. */
  readonly reviewAboveMicroUsd: number
  /** Checkouts that one user may open in an hour. */
  readonly checkoutsPerHour: number
  readonly autoTopUp: AutoTopUpPolicy
  readonly referral: ReferralTerms
}

/** What a referral earns. A reward that was given stays as it was when these change. */
export interface ReferralTerms {
  /** Credits for the referrer, once for each person. */
  readonly rewardMicroUsd: number
  /** The first payment of that person's that is this large earns it. */
  readonly leastMicroUsd: number
}

/** How often a kept card is charged; a charge that failed is not counted. */
export interface AutoTopUpRate {
  readonly perHour: number
  readonly perDay: number
}

export interface AutoTopUpPolicy {
  readonly tiers: Readonly<Record<Tier, AutoTopUpRate>>
  /** Charges in a row that fail before auto top-up is paused. */
  readonly failuresUntilPause: number
}

export const defaultPaymentPolicy: PaymentPolicy = {
  reviewAboveMicroUsd: reviewAboveUsd * microUsdPerUsd,
  checkoutsPerHour: 20,
  autoTopUp: {
    tiers: {
      never_paid: { perHour: 0, perDay: 0 },
      newly_paid: { perHour: 1, perDay: 1 },
      established: { perHour: 1, perDay: 3 },
    },
    failuresUntilPause: 2,
  },
  referral: { rewardMicroUsd: 5 * microUsdPerUsd, leastMicroUsd: 10 * microUsdPerUsd },
}

export const defaultCallPolicy: CallPolicy = {
  freeCall: defaultFreeCallTerms,
  tiers: {
    never_paid: {
      attemptsPerHour: 20,
      answeredPerHour: 2,
      answeredPerDay: 3,
      concurrentCalls: 1,
      longestCallMinutes: 5,
      highestRateMicroUsd: defaultFreeCallTerms.worthMicroUsd,
    },
    newly_paid: {
      attemptsPerHour: 40,
      answeredPerHour: 15,
      answeredPerDay: 60,
      concurrentCalls: 1,
      longestCallMinutes: 60,
      highestRateMicroUsd: microUsdPerUsd,
    },
    established: {
      attemptsPerHour: 60,
      answeredPerHour: 40,
      answeredPerDay: 150,
      concurrentCalls: 2,
      longestCallMinutes: 240,
      highestRateMicroUsd: 3.5 * microUsdPerUsd,
    },
  },
  established: { afterDays: 7, paidMicroUsd: 25 * microUsdPerUsd },
  freeCallsPerMonth: 3,
  testCall: { everyDays: 7, longestMinutes: 1, perMonth: 5 },
  breaker: { fromRateMicroUsd: 250_000, accounts: 15, windowSeconds: 600, pauseSeconds: 1800 },
  verificationCallsPerDay: 3,
  verificationGapSeconds: 60,
  callRecordsDays: 400,
  credit: defaultCallCreditTerms,
}

/** So many within a window that begins with the first of them. */
export interface AttemptLimit {
  readonly most: number
  readonly windowSeconds: number
}

/** Checks of the line by one user: each holds a line of the network for some seconds, at our cost. */
export const lineCheckLimit: AttemptLimit = { most: 20, windowSeconds: 3600 }

/** Limits on guessing passwords and on mails that anybody can have sent. Accounts and addresses are counted apart. */
export const signInPolicy = {
  failedLogins: {
    account: { most: 10, windowSeconds: 15 * 60 },
    address: { most: 50, windowSeconds: 15 * 60 },
  },
  /** Of each kind of mail (confirmation, reset). */
  mails: {
    account: { most: 1, windowSeconds: mailGapSeconds },
    accountLong: { most: 5, windowSeconds: 3600 },
    /** As long as a link to choose a password works: there is always one that works, or another mail. */
    resetLong: { most: 5, windowSeconds: resetLinkMinutes * 60 },
    address: { most: 30, windowSeconds: 3600 },
  },
} as const satisfies Record<string, Record<string, AttemptLimit>>
