import { newCustomerHours, newCustomerSpendUsd, reviewAboveUsd } from '#lib/money/credits.ts'
import { maxGiftUsd } from '#lib/money/gifts.ts'
import { microUsdPerUsd } from '#lib/money/money.ts'
import { defaultFreeCallTerms, type FreeCallTerms } from '#lib/money/pricing.ts'
import { type Budgets, defaultBudgets } from '../limits/budget-policy.ts'

/** How far we trust an account, by when and how much it has paid (PD-54 to PD-59). */
export const tiers = ['never_paid', 'newly_paid', 'established'] as const
export type Tier = (typeof tiers)[number]

/** Limits of one account. `docs/limits.md` is generated from the defaults. */
export interface TierLimits {
  readonly attemptsPerHour: number
  readonly answeredPerHour: number
  readonly answeredPerDay: number
  readonly concurrentCalls: number
  /** Max length of one call, whatever the balance. */
  readonly longestCallMinutes: number
  /** Micro-dollars a minute. */
  readonly highestRateMicroUsd: number
}

/** Circuit breaker: stops calls to an expensive prefix when many accounts call it at once, as stolen accounts do (REL-42). */
export interface BreakerPolicy {
  /** Only prefixes at or above this rate are watched. Micro-dollars a minute. */
  readonly fromRateMicroUsd: number
  /** The breaker opens when this many accounts call within the window. */
  readonly accounts: number
  readonly windowSeconds: number
  readonly pauseSeconds: number
}

/** Limits what a stolen card can spend on calls before its owner notices (ADR-50). */
export interface NewCustomerTerms {
  /** Counted from the first payment. */
  readonly hours: number
  /** Max cost of all calls in those hours. */
  readonly spendMicroUsd: number
}

/** Long enough for the microphone prompt and a slow connection. A call renews it, and goes on either way. */
export const defaultVoiceTokenSeconds = 600

/** Max from one address, for each resource that every page loads. High, because many people share one address. */
export const pageRequestsPerMinute = 600

/** Terms of goodwill credits. The terms of use and the FAQ quote the defaults: change both. */
export interface CallCreditTerms {
  /** Max automatic credits per user in 30 days; 0 turns them off. */
  readonly maxAutomatic: number
  /** Max claims per user in 30 days; 0 turns them off. */
  readonly maxClaims: number
  /** Max refunds per user in 30 days of calls that our own restart cut; 0 turns them off (ADR-63). */
  readonly maxRestarts: number
  /** Max of a credit that only the user vouches for (a claim, or the page's measurement). Any other may be a minute. Micro-dollars. */
  readonly maxUnverifiedCreditMicroUsd: number
}

/** Limits on calls. Defaults: PD-20 and PD-54 to PD-58. */
export interface CallPolicy {
  readonly freeCall: FreeCallTerms
  readonly tiers: Readonly<Record<Tier, TierLimits>>
  /** Established: first payment at least `afterDays` ago and at least `paidMicroUsd` in total. */
  readonly established: { readonly afterDays: number; readonly paidMicroUsd: number }
  readonly budgets: Budgets
  /** Max length of a call to the user's own number, made to see the caller ID (ADR-41). */
  readonly testCallMinutes: number
  readonly newCustomer: NewCustomerTerms
  readonly breaker: BreakerPolicy
  /** Accounts that never paid can verify numbers only up to this rate. Micro-dollars a minute. */
  readonly unpaidVerificationMaxRateMicroUsd: number
  /** Kept this long (ADR-29), as the privacy policy says. Must exceed 30, the window in which free calls count. */
  readonly callRecordsDays: number
  /** Goodwill credits for bad calls (ADR-38). */
  readonly credit: CallCreditTerms
}

/** Limits on payments. Defaults: PD-59 and PD-60. */
export interface PaymentPolicy {
  /** Payments of one user above this sum within 24 hours wait for review, and so does their bonus. */
  readonly reviewAboveMicroUsd: number
  readonly checkoutsPerHour: number
  /** Accounts that may pay with one card within 30 days (ADR-50); a payment by any further account waits for review in full. */
  readonly accountsPerCard: number
  readonly autoTopUp: AutoTopUpPolicy
  readonly referral: ReferralTerms
  readonly gift: GiftTerms
}

export const cardPayerDays = 30

/** Rewards for referrals (ADR-49). Changes do not affect rewards already given. */
export interface ReferralTerms {
  /** Credits for the referrer, once per referred user. */
  readonly rewardMicroUsd: number
  /** Min amount of a referee's payment that must still be paid when its refund window closes. */
  readonly minPaymentMicroUsd: number
  /** Max rewards for one referrer in a calendar month (UTC); anything above is not given. */
  readonly monthlyMicroUsd: number
}

/** Booklets (ADR-65). */
export interface GiftTerms {
  /** Max that an account, and a card, pays for booklets in 24 hours. A payment beyond it, of checkouts at once, waits for review. */
  readonly dailyMicroUsd: number
}

/** Max charges of a saved card; failed charges do not count. */
export interface AutoTopUpRate {
  readonly perHour: number
  readonly perDay: number
}

export interface AutoTopUpPolicy {
  readonly tiers: Readonly<Record<Tier, AutoTopUpRate>>
  readonly failuresUntilPause: number
}

export const defaultPaymentPolicy: PaymentPolicy = {
  reviewAboveMicroUsd: reviewAboveUsd * microUsdPerUsd,
  checkoutsPerHour: 20,
  accountsPerCard: 3,
  autoTopUp: {
    tiers: {
      never_paid: { perHour: 0, perDay: 0 },
      newly_paid: { perHour: 1, perDay: 1 },
      established: { perHour: 1, perDay: 3 },
    },
    failuresUntilPause: 2,
  },
  referral: {
    rewardMicroUsd: 5 * microUsdPerUsd,
    minPaymentMicroUsd: 10 * microUsdPerUsd,
    monthlyMicroUsd: 50 * microUsdPerUsd,
  },
  gift: { dailyMicroUsd: maxGiftUsd * microUsdPerUsd },
}

export const defaultCallCreditTerms: CallCreditTerms = {
  maxAutomatic: 3,
  maxClaims: 3,
  maxRestarts: 10,
  maxUnverifiedCreditMicroUsd: 1_000_000,
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
      highestRateMicroUsd: 3.6 * microUsdPerUsd,
    },
  },
  established: { afterDays: 7, paidMicroUsd: 25 * microUsdPerUsd },
  budgets: defaultBudgets,
  testCallMinutes: 1,
  newCustomer: { hours: newCustomerHours, spendMicroUsd: newCustomerSpendUsd * microUsdPerUsd },
  breaker: { fromRateMicroUsd: 250_000, accounts: 15, windowSeconds: 600, pauseSeconds: 1800 },
  unpaidVerificationMaxRateMicroUsd: 0.1 * microUsdPerUsd,
  callRecordsDays: 400,
  credit: defaultCallCreditTerms,
}

/** Costs per minute besides the carrier's price, which the tariff must cover (ADR-54). */
export interface PricePolicy {
  /** What the carrier charges for the browser's leg. Micro-dollars a minute. */
  readonly browserLegMicroUsd: number
  readonly card: { readonly percent: number; readonly fixedCents: number }
  /** Purchase size for the price calculation: the smallest preset, where the fixed fee weighs most. Whole US dollars. */
  readonly purchaseUsd: number
}

/** List prices: Twilio's browser leg and Stripe's US card fee. Actual agreements may differ. */
export const pricePolicy: PricePolicy = {
  browserLegMicroUsd: 4_000,
  card: { percent: 2.9, fixedCents: 30 },
  purchaseUsd: 10,
}

/** Per account and per address, except log-ins on a known device, which only have a counter of their own (ADR-52). */
export const failedLoginPolicy = {
  windowSeconds: 15 * 60,
  maxPerAccount: 10,
  maxPerAddress: 50,
  maxPerKnownDevice: 5,
} as const

/** Wrong codes of booklets, per account and per address (ADR-65). Many people may share an address. */
export const giftCodePolicy = { windowSeconds: 3600, maxPerAccount: 10, maxPerAddress: 200 } as const

/** Wrong codes per account and, separately, per known device (ADR-53, ADR-58). Passkeys cannot be guessed and have no limit. */
export const secondFactorPolicy = {
  windowSeconds: 15 * 60,
  /** Within the window. The same number within 24 hours triggers a notice to the account's owner. */
  maxCodes: 10,
  maxCodesPerDay: 30,
  recoveryCodes: 10,
  maxPasskeys: 10,
} as const
